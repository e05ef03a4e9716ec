//go:build unix

package server_test

import (
	"bufio"
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

// missingStore gives a site a store that is named and not there.
func (s *site) missingStore() {
	s.file(".claude/guardrails.yaml", "store: sqlite:"+filepath.Join(filepath.Dir(s.root), "none.db")+"\n")
	s.open = func(ctx context.Context, c *config.Config) (*live.Store, error) {
		return open.Open(ctx, c, open.Options{Env: s.env, Now: time.Now})
	}
}

func ready(t *testing.T, address string) (int, string) {
	t.Helper()
	code, body := request(t, http.MethodGet, "http://"+address+"/readyz", "", nil)
	return code, strings.TrimSpace(body)
}

func TestAServerIsReadyWithTheGuidelinesOfItsStore(t *testing.T) {
	s := newSite(t)
	s.stored()
	address, token, _ := s.port(s.server())
	if code, body := (tenant{t, address, token}).rest(http.MethodPost, "/api/guardrails", reds); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	if code, body := ready(t, address); code != http.StatusOK || body != `{"status":"ready","version":"1.2.3","source":"store"}` {
		t.Errorf("%d %s", code, body)
	}
}

func TestAServerWithoutStoreAndSnapshotIsNotReady(t *testing.T) {
	s := newSite(t)
	s.missingStore()
	address, _, _ := s.port(s.server())
	if code, body := ready(t, address); code != http.StatusServiceUnavailable || !strings.Contains(body, `"status":"unavailable"`) {
		t.Errorf("%d %s", code, body)
	}
	if code, _ := request(t, http.MethodGet, "http://"+address+"/healthz", "", nil); code != http.StatusOK {
		t.Errorf("it lives all the same: %d", code)
	}
}

func TestAServerWithTheLastKnownGuidelinesIsReadyAndSaysSo(t *testing.T) {
	s := newSite(t)
	s.stored()
	stop := s.hold(s.server())
	s.reachable()
	s.ask("backend")
	stop()
	s.missingStore()
	address, _, _ := s.port(s.server())
	if code, body := ready(t, address); code != http.StatusOK || !strings.Contains(body, `"status":"degraded","version":"1.2.3","source":"snapshot"`) {
		t.Errorf("%d %s", code, body)
	}
}

// A server has guidelines to fall back on also where no hook ever asked it, and those who ask it over the port have them too.
func TestAServerThatNoHookAskedHasTheLastKnownGuidelines(t *testing.T) {
	for name, asks := range map[string]func(c tenant){
		"who looks how it is": func(c tenant) { ready(c.t, c.address) },
		"an agent asks":       func(c tenant) { c.tool("guardrails_get_context", `{"agent":"a"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.tenant = "red"
			s.file(".claude/guardrails.yaml", "tenant: red\n")
			s.stored()
			address, token, stop := s.port(s.server())
			c := tenant{t, address, token}
			if code, body := c.rest(http.MethodPost, "/api/guardrails", reds); code != http.StatusCreated {
				t.Fatalf("%d %s", code, body)
			}
			asks(c)
			stop()
			s.missingStore()
			s.file(".claude/guardrails.yaml", "tenant: red\nstore: sqlite:/nowhere/none.db\n")
			c.address, c.token, _ = s.port(s.server())
			if code, body := ready(t, c.address); code != http.StatusOK || !strings.Contains(body, `"status":"degraded","version":"1.2.3","source":"snapshot"`) {
				t.Errorf("%d %s", code, body)
			}
			if text := c.tool("guardrails_get_context", `{"agent":"a"}`); !strings.Contains(text, "Only red knows.") || !strings.Contains(text, "last known good guidelines apply") {
				t.Errorf("%s", text)
			}
		})
	}
}

func TestWhoWaitsForEventsDoesNotHoldUpTheEnd(t *testing.T) {
	s := newSite(t)
	s.stored()
	address, token, stop := s.port(s.server())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/api/guardrails/events", nil)
	check(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	defer func() { check(t, answer.Body.Close()) }()
	lines := bufio.NewReader(answer.Body)
	if _, err := lines.ReadString('\n'); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %v", answer.StatusCode, err)
	}
	began := time.Now()
	stop()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the end took %s", took)
	}
	for err == nil {
		_, err = lines.ReadString('\n')
	}
}

func TestWhatHappensInTheStoreIsCounted(t *testing.T) {
	s := newSite(t)
	s.stored()
	srv := s.server()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { srv.Upkeep(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	address, token, _ := s.port(srv)
	c := tenant{t, address, token}
	if code, body := c.rest(http.MethodPost, "/api/guardrails", reds); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	for _, reason := range []string{"one", "two"} {
		c.tool("guardrails_log_decision", `{"guideline_id":"reds","context":{"agent":"a"},"result":"approved","reason":"`+reason+`"}`)
	}
	wanted := []string{
		`guardrails_guideline_changes_total{event="guideline_changed"} 1`, "guardrails_store_up 1", `guardrails_store_checks_total{result="ok"}`,
		`guardrails_decisions_total{result="approved"} 2`, `guardrails_questions_total{source="memory"}`, "guardrails_spool_backlog_bytes 0",
	}
	body := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && missing(body, wanted) != ""; {
		_, body = c.rest(http.MethodGet, "/metrics", "")
	}
	if name := missing(body, wanted); name != "" {
		t.Errorf("no %s in\n%s", name, body)
	}
}

// missing is the first of some texts that is not there.
func missing(body string, wanted []string) string {
	for _, text := range wanted {
		if !strings.Contains(body, text) {
			return text
		}
	}
	return ""
}
