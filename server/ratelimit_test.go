package server_test

import (
	"net/http"
	"os"
	"path/filepath"
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
	s.now, s.changes = func() time.Time { return now }, 100
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
	for path, body := range map[string]string{
		"evaluate":          `{"agent":"a"}`,
		"detect/rumination": `{"current_prompt":"is it safe?"}`, "detect/hyperfocus": `{}`,
		"detect/sycophancy": `{"candidate_response":"You're right!"}`, "detect/tool-loop": `{"calls":[]}`,
	} {
		if code, answer := c.rest(http.MethodPost, "/api/guardrails/"+path, body); code == http.StatusTooManyRequests {
			t.Errorf("%s counts as a change: %s", path, answer)
		}
	}
	for path, field := range map[string]string{"check/message": "message", "check/response": "response"} {
		for dry, limited := range map[string]bool{"false": true, "true": false} {
			body := `{"` + field + `":"hello","dry_run":` + dry + `}`
			code, answer := c.rest(http.MethodPost, "/api/guardrails/"+path, body)
			if (code == http.StatusTooManyRequests) != limited || code != http.StatusTooManyRequests && code != http.StatusOK {
				t.Errorf("%s %s: %d %s", path, body, code, answer)
			}
			tool := c.callTool("check_"+field, body)
			if strings.Contains(tool, "changes a second") != limited {
				t.Errorf("check_%s %s: %s", field, body, tool)
			}
		}
	}
	now = now.Add(time.Second)
	if got, _ := put(busy); got != http.StatusNotFound {
		t.Errorf("a second later: %d", got)
	}
}

func TestEachSentDecisionCountsAsAChange(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	now := time.Now()
	s.now, s.changes = func() time.Time { return now }, 100
	address, _, _ := s.servePort(s.server())
	c := tenantClient{t, address, s.token(access.Token{Name: "laptop", Role: access.Decide})}
	for _, step := range []struct{ decisions, want int }{
		{201, http.StatusRequestEntityTooLarge},
		{150, http.StatusOK},
		{51, http.StatusTooManyRequests},
		{50, http.StatusOK},
		{1, http.StatusTooManyRequests},
	} {
		one := `{"id":"a","timestamp":"2026-02-05T10:00:00Z","event_type":"decision","decision":{"result":"deny"}},`
		body := `{"entries":[` + strings.TrimSuffix(strings.Repeat(one, step.decisions), ",") + `]}`
		if code, answer := c.rest(http.MethodPost, "/api/guardrails/audit/entries", body); code != step.want {
			t.Errorf("%d decisions: %d %s", step.decisions, code, answer)
		}
	}
}

// The goal for a store on this computer is 1,000 changes of a tenant in a second. The clock stands still, so all changes
// of this test are in the same second.
func TestOneTokenMakesAsManyChangesAsAStoreCanDo(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	now := time.Now()
	s.now = func() time.Time { return now }
	busy := s.token(access.Token{Name: "busy", Role: access.Admin})
	address, _, _ := s.servePort(s.server())
	c := tenantClient{t, address, busy}
	for i := range 1200 {
		if code, body := c.rest(http.MethodPut, "/api/guardrails/none", `{"version":1,"name":"n"}`); code != http.StatusNotFound {
			t.Fatalf("change %d: %d %s", i, code, body)
		}
	}
}

func TestAReaderTriesTheGateUnlessAModelMayBeAsked(t *testing.T) {
	for settings, status := range map[string]int{
		"": http.StatusOK,
		"model: {url: 'http://127.0.0.1:1', name: judge}\n":               http.StatusForbidden,
		"model: {url: 'http://127.0.0.1:1', name: judge, audit: false}\n": http.StatusOK,
	} {
		s := newFixture(t)
		s.useStore()
		s.vars["XDG_CONFIG_HOME"] = t.TempDir()
		folder := filepath.Join(s.vars["XDG_CONFIG_HOME"], "guardrails")
		check(t, os.MkdirAll(folder, 0o700))
		check(t, os.WriteFile(filepath.Join(folder, "guardrails.yaml"), []byte(settings), 0o600))
		address, _, _ := s.servePort(s.server())
		reader := tenantClient{t, address, s.token(access.Token{Name: "reader", Role: access.Read})}
		for path, want := range map[string]int{"check/message": http.StatusOK, "check/response": status} {
			body := `{"` + strings.TrimPrefix(path, "check/") + `":"hello","dry_run":true}`
			if code, answer := reader.rest(http.MethodPost, "/api/guardrails/"+path, body); code != want {
				t.Errorf("%q: %s: %d %s", settings, path, code, answer)
			}
		}
	}
}
