package server_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/server/access"
)

func TestACallerWithTooManyChangesHasToWait(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	now := time.Now()
	s.now = func() time.Time { return now }
	busy, other := s.token(access.Token{Name: "busy", Role: access.Admin}),
		s.token(access.Token{Name: "other", Role: access.Admin})
	address, _, _ := s.servePort(s.server())
	put := func(token string) (code int, wait string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://"+address+"/api/guardrails/none",
			strings.NewReader(`{"version":1,"name":"n"}`))
		check(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		check(t, err)
		check(t, answer.Body.Close())
		return answer.StatusCode, answer.Header.Get("Retry-After")
	}
	made := 0
	code, wait := put(busy)
	for ; made < 1000 && code == http.StatusNotFound; made++ {
		code, wait = put(busy)
	}
	after, err := strconv.Atoi(wait)
	if made != 200 || code != http.StatusTooManyRequests || err != nil || after < 1 {
		t.Errorf("%d changes, then %d, Retry-After %q", made, code, wait)
	}
	if got, _ := put(other); got != http.StatusNotFound {
		t.Errorf("another token: %d", got)
	}
	c := tenantClient{t, address, busy}
	if got := c.callTool("guardrails_log_decision",
		`{"guideline_id":"g","context":{},"result":"approved","reason":"r"}`); !strings.Contains(got, "makes more than 100 changes a second; try again in") {
		t.Errorf("a tool: %s", got)
	}
	for _, path := range []string{"/api/guardrails", "/api/guardrails/audit"} {
		if code, body := c.rest(http.MethodGet, path, ""); code != http.StatusOK {
			t.Errorf("reading %s: %d %s", path, code, body)
		}
	}
	if code, body := c.rest(http.MethodPost, "/api/guardrails/evaluate", `{"agent":"a"}`); code != http.StatusOK {
		t.Errorf("evaluating: %d %s", code, body)
	}
	now = now.Add(time.Second)
	if got, _ := put(busy); got != http.StatusNotFound {
		t.Errorf("a second later: %d", got)
	}
}
