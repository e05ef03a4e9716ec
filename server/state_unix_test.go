//go:build unix

package server_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/store/live"
	"guardrails/store/open"
)

// useMissingStore writes settings with the location of a store that does not exist.
func (s *fixture) useMissingStore() {
	s.file(".claude/guardrails.yaml", "store: sqlite:"+filepath.Join(filepath.Dir(s.root), "none.db")+"\n")
	s.open = func(ctx context.Context, c *config.Config) (*live.Store, error) {
		return open.Open(ctx, c, open.Options{Env: s.env, Now: time.Now})
	}
}

func readiness(t *testing.T, address string) (int, string) {
	t.Helper()
	code, body := request(t, http.MethodGet, "http://"+address+"/readyz", "", nil)
	return code, strings.TrimSpace(body)
}

func TestAServerIsReadyWithTheGuidelinesOfItsStore(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	if code, body := (tenantClient{t, address, token}).rest(http.MethodPost, "/api/guardrails",
		redGuideline); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	if code, body := readiness(t, address); code != http.StatusOK ||
		body != `{"status":"ready","version":"1.2.3","source":"store"}` {
		t.Errorf("%d %s", code, body)
	}
}

func TestAServerWithoutStoreAndSnapshotIsNotReady(t *testing.T) {
	s := newFixture(t)
	s.useMissingStore()
	address, _, _ := s.servePort(s.server())
	if code, body := readiness(t, address); code != http.StatusServiceUnavailable ||
		!strings.Contains(body, `"status":"unavailable"`) {
		t.Errorf("%d %s", code, body)
	}
	if code, _ := request(t, http.MethodGet, "http://"+address+"/healthz", "", nil); code != http.StatusOK {
		t.Errorf("the server is not healthy: %d", code)
	}
}

func TestAServerWithTheLastKnownGuidelinesIsDegraded(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	stop := s.holdSocket(s.server())
	s.waitForSocket()
	s.ask("backend")
	stop()
	s.useMissingStore()
	address, _, _ := s.servePort(s.server())
	if code, body := readiness(t, address); code != http.StatusOK ||
		!strings.Contains(body, `"status":"degraded","version":"1.2.3","source":"snapshot","known_at":"2`) ||
		!strings.Contains(body, `Z","guidelines":`) {
		t.Errorf("%d %s", code, body)
	}
}

// A server saves the last known good guidelines even if no hook asks for them. Callers on the port get them, too.
func TestTheLastKnownGuidelinesAreSavedWithoutHooks(t *testing.T) {
	for name, request := range map[string]func(c tenantClient){
		"a health check":        func(c tenantClient) { readiness(c.t, c.address) },
		"a request of an agent": func(c tenantClient) { c.callTool("guardrails_get_context", `{"agent":"a"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newFixture(t)
			s.tenant = "red"
			s.file(".claude/guardrails.yaml", "tenant: red\n")
			s.useStore()
			address, token, stop := s.servePort(s.server())
			c := tenantClient{t, address, token}
			if code, body := c.rest(http.MethodPost, "/api/guardrails", redGuideline); code != http.StatusCreated {
				t.Fatalf("%d %s", code, body)
			}
			request(c)
			stop()
			s.useMissingStore()
			s.file(".claude/guardrails.yaml", "tenant: red\nstore: sqlite:/nowhere/none.db\n")
			c.address, c.token, _ = s.servePort(s.server())
			if code, body := readiness(t, c.address); code != http.StatusOK ||
				!strings.Contains(body, `"status":"degraded","version":"1.2.3","source":"snapshot"`) {
				t.Errorf("%d %s", code, body)
			}
			if text := c.callTool("guardrails_get_context", `{"agent":"a"}`); !strings.Contains(text, "Only red knows.") ||
				!strings.Contains(text, "last known good guidelines apply") {
				t.Errorf("%s", text)
			}
		})
	}
}

func TestMetricsCountChangesAndDecisions(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	srv := s.server()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { srv.Upkeep(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	address, token, _ := s.servePort(srv)
	c := tenantClient{t, address, token}
	if code, body := c.rest(http.MethodPost, "/api/guardrails", redGuideline); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	for _, reason := range []string{"one", "two"} {
		c.callTool("guardrails_log_decision", `{"guideline_id":"reds","context":{"agent":"a"},"result":"approved","reason":"`+reason+`"}`)
	}
	wanted := []string{
		`guardrails_guideline_changes_total{event="guideline_changed"} 1`, "guardrails_store_up 1",
		`guardrails_store_checks_total{result="ok"}`,
		`guardrails_decisions_total{result="approved"} 2`, `guardrails_questions_total{source="memory"}`,
		"guardrails_spool_backlog_bytes 0",
	}
	body := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && firstMissing(body, wanted) != ""; {
		_, body = c.rest(http.MethodGet, "/metrics", "")
	}
	if name := firstMissing(body, wanted); name != "" {
		t.Errorf("no %s in\n%s", name, body)
	}
}

// firstMissing returns the first text that the body does not contain, or "" if it contains all of them.
func firstMissing(body string, texts []string) string {
	for _, text := range texts {
		if !strings.Contains(body, text) {
			return text
		}
	}
	return ""
}
