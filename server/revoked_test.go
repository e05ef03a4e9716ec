package server_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/server/access"
)

// events() opens a stream of events. The channel gets each line, and is closed at the end of the stream.
func (c tenantClient) events() <-chan string {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, "http://"+c.address+"/api/guardrails/events", http.NoBody)
	check(c.t, err)
	r.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := http.DefaultClient.Do(r) //nolint:bodyclose // the goroutine closes it
	check(c.t, err)
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		defer func() { _ = answer.Body.Close() }()
		for text := bufio.NewScanner(answer.Body); text.Scan(); {
			lines <- text.Text()
		}
	}()
	return lines
}

func TestTheStreamOfARevokedTokenEnds(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	revoked, kept := s.token(access.Token{Name: "revoked", Role: access.Read}), s.token(access.Token{Name: "kept", Role: access.Read})
	address, owner, _ := s.servePort(s.server())
	ends, goesOn := tenantClient{t, address, revoked}.events(), tenantClient{t, address, kept}.events()
	for _, lines := range []<-chan string{ends, goesOn} {
		waitForLine(t, lines, "event: ready")
	}
	check(t, s.tokens().Revoke("", "revoked"))
	for over := time.After(time.Minute); ; {
		select {
		case _, more := <-ends:
			if more {
				continue
			}
		case <-over:
			t.Fatal("the stream of the revoked token goes on")
		}
		break
	}
	c := tenantClient{t, address, owner}
	if code, body := c.rest(http.MethodPost, "/api/guardrails", newOne); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	waitForLine(t, goesOn, "event: guideline_changed")
}

func waitForLine(t *testing.T, lines <-chan string, want string) {
	t.Helper()
	for over := time.After(time.Minute); ; {
		select {
		case line, more := <-lines:
			if !more {
				t.Fatalf("the stream ended before %q", want)
			}
			if strings.TrimSpace(line) == want {
				return
			}
		case <-over:
			t.Fatalf("no line %q", want)
		}
	}
}
