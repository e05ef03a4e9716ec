package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
)

func TestMetricsNeedTheRoleRead(t *testing.T) {
	s := newFixture(t)
	reader := s.token(access.Token{Name: "prometheus", Role: access.Read})
	address, _, _ := s.servePort(s.server())
	request(t, http.MethodPost, "http://"+address+"/mcp", list, nil)
	request(t, http.MethodPost, "http://"+address+"/mcp", list, map[string]string{"X-API-Key": reader})
	request(t, http.MethodGet, "http://"+address+"/no/such/place", "", map[string]string{"X-API-Key": reader})
	for _, want := range []string{
		`guardrails_build_info{version="1.2.3"} 1`, `guardrails_refused_requests_total{reason="unauthorized"} 1`,
		`guardrails_request_duration_seconds_count{code="200",route="/mcp",transport="port"} 1`,
		`guardrails_request_duration_seconds_count{code="404",route="other",transport="port"} 1`,
	} {
		// The server counts a request shortly after the client has received the answer, so the test has to wait.
		shown := func() bool {
			code, body := request(t, http.MethodGet, "http://"+address+"/metrics", "", map[string]string{"X-API-Key": reader})
			return code == http.StatusOK && strings.Contains(body, want)
		}
		for end := time.Now().Add(10 * time.Second); !shown(); {
			if time.Now().After(end) {
				t.Fatalf("missing %s", want)
			}
		}
	}
	if code, _ := request(t, http.MethodGet, "http://"+address+"/metrics", "", nil); code != http.StatusUnauthorized {
		t.Errorf("without a token: %d", code)
	}
}

func TestMetricsCountWhatOtherProcessesAddedToTheAudit(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	srv := s.server()
	address, token, _ := s.servePort(srv)
	other, err := s.open(t.Context(), &config.Config{})
	check(t, err)
	defer func() { check(t, other.Close()) }()
	for _, id := range []string{"a", "b", "c"} {
		_, err := other.For(live.Caller{Actor: "elsewhere"}).Append(t.Context(), store.Entry{
			ID: id, Kind: store.KindDecision, Event: "decision", Decision: &store.Decision{Result: "deny"},
		})
		check(t, err)
	}
	s.runUntilStopped(func(ctx context.Context) error { srv.Upkeep(ctx); return nil })
	shown := func() string {
		_, body := request(t, http.MethodGet, "http://"+address+"/metrics", "", map[string]string{"X-API-Key": token})
		return body
	}
	for end := time.Now().Add(10 * time.Second); !strings.Contains(shown(), `guardrails_audit_entries{kind="decision"} 3`); {
		if time.Now().After(end) {
			t.Fatalf("the three decisions are not counted:\n%s", shown())
		}
	}
	if text := shown(); !strings.Contains(text, `guardrails_audit_entries{kind="change"} 0`) {
		t.Errorf("%s", text)
	}
}
