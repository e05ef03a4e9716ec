//go:build unix

package server_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/server/access"
	"guardrails/service/storefault"
	"guardrails/store/live"
	"guardrails/store/open"
)

// sharedLog is a log that tests can read while a server writes to it.
type sharedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *sharedLog) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

// has() reports whether a line of the log contains all of the texts.
func (l *sharedLog) has(texts ...string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if firstMissing(line, texts) == "" {
			return true
		}
	}
	return false
}

// The server's project belongs to the tenant "red". Only the part of the tenant "blue" is damaged.
func TestAFaultOfAnotherTenantIsNamed(t *testing.T) {
	s, log := newFixture(t), &sharedLog{}
	s.useStore()
	s.now = time.Now
	s.tenant = "red"
	s.file(".claude/guardrails.yaml", "tenant: red\n")
	s.log = log
	s.open = func(ctx context.Context, c *config.Config) (*live.Store, error) {
		opened, err := open.Open(ctx, c, open.Options{Env: s.env, Now: time.Now, Make: true})
		if err == nil {
			storefault.GuardWrites(s.env, time.Now, c, opened)
		}
		return opened, err
	}
	srv := s.server()
	red, blue := s.token(access.Token{Name: "r", Tenant: "red", Role: access.Admin}),
		s.token(access.Token{Name: "b", Tenant: "blue", Role: access.Admin})
	address, _, _ := s.servePort(srv)
	r, b := tenantClient{t, address, red}, tenantClient{t, address, blue}
	b.create("reds")
	if code, body := b.rest(http.MethodPut, "/api/guardrails/reds", `{"version":1,"priority":900}`); code != http.StatusOK {
		t.Fatal(body)
	}
	if code, body := b.rest(http.MethodGet, "/api/guardrails/audit/verify", ""); code != http.StatusOK {
		t.Fatal(body)
	}
	b.callTool("guardrails_get_context", `{}`)
	r.create("ours")
	s.cutLastChangeOf("blue")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { srv.Upkeep(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })

	body := ""
	until := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !is(); <-time.After(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("not %s: %s\n%s", what, body, log.text.String())
			}
		}
	}
	until("named by readyz", func() bool {
		_, body = readiness(t, address)
		return strings.Contains(body, `"status":"ready"`) && strings.Contains(body, `"fault":"older"`) &&
			!strings.Contains(body, "blue")
	})
	until("in the log", func() bool { return log.has("level=ERROR", "tenant=blue", "fault=older") })
	for _, c := range []struct {
		client tenantClient
		fault  string
		status int
	}{{b, "older", http.StatusServiceUnavailable}, {r, "", http.StatusCreated}} {
		code, body := c.client.rest(http.MethodPost, "/api/guardrails", newOne)
		if code != c.status || c.fault != "" && !strings.Contains(body, `"fault":"older"`) || strings.Contains(body, "sqlite:") {
			t.Errorf("%d %s", code, body)
		}
	}
	if log.has("records of hooks cannot be added", "heads") {
		t.Error("a step of the upkeep is logged under the name of another one")
	}
}
