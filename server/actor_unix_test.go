//go:build unix

package server_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/config"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
)

// A caller logs this decision. In it, the caller claims to be another agent, in somebody else's session.
const logged = `{"guideline_id":"reds","context":{"agent":"chief","session_id":"not-mine","metadata":{"actor":"chief"}},` +
	`"result":"approved","reason":"r"}`

func TestTheTokenIsTheActorOfADecisionAndWhatTheCallerClaimsIsContext(t *testing.T) {
	s, _, _ := twoTenants(t)
	ci := s.token(access.Token{Name: "ci", Tenant: "red", Role: access.Decide})
	srv := s.server()
	address, _, _ := s.servePort(srv)
	if got := (tenantClient{t, address, ci}).callTool("guardrails_log_decision", logged); !strings.Contains(got, "audit-") {
		t.Fatal(got)
	}
	e := s.onlyDecision(srv.Upkeep)
	if e.Actor != "ci" || e.Context.Agent != "chief" || e.Guideline != "reds" || e.GuidelineName != "Of red alone" {
		t.Errorf("%+v %+v", e, e.Context)
	}
}

func TestTheUserOfTheComputerIsTheActorOfADecisionOnTheSocketAndOnStdio(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_log_decision","arguments":` + logged + `}}`
	for transport, want := range map[string]string{"socket": "ann", "stdio": "ann by mcp"} {
		t.Run(transport, func(t *testing.T) {
			s, _, _ := twoTenants(t)
			srv := s.server()
			if transport == "socket" {
				s.holdSocket(srv)
				s.waitForSocket()
				answer, err := s.socketClient().Post("http://guardrails/mcp", "application/json", strings.NewReader(call))
				check(t, err)
				check(t, answer.Body.Close())
			} else {
				check(t, srv.ServeStdio(t.Context(), strings.NewReader(call+"\n"), &strings.Builder{}))
			}
			if e := s.onlyDecision(srv.Upkeep); e.Actor != want || e.Context.Agent != "chief" {
				t.Errorf("%+v %+v", e, e.Context)
			}
		})
	}
}

// onlyDecision moves the spool into the audit, and returns the only decision of the tenant "red".
func (s *fixture) onlyDecision(upkeep func(context.Context)) store.Entry {
	s.t.Helper()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	upkeep(ended)
	opened, err := s.open(context.Background(), &config.Config{})
	check(s.t, err)
	defer opened.Close()
	page, err := opened.For(live.Caller{Tenant: "red"}).Audit(context.Background(),
		store.AuditQuery{AuditFilter: store.AuditFilter{Event: "gate"}})
	check(s.t, err)
	if page.Total != 1 {
		s.t.Fatalf("%+v", page)
	}
	return page.Items[0]
}

func TestATokenCannotLogADecisionOfAnUnknownGuidelineDuringAnOutage(t *testing.T) {
	s, red, _ := twoTenants(t)
	if code, body := red.rest(http.MethodGet, "/api/guardrails/reds", ""); code != http.StatusOK {
		t.Fatal(body)
	}
	red.callTool("guardrails_get_context", `{"agent":"a"}`) // saves the last known good guidelines
	s.useMissingStore()
	s.file(".claude/guardrails.yaml", "tenant: red\nstore: sqlite:/nowhere/none.db\n")
	address, _, _ := s.servePort(s.server())
	red.address = address
	for id, want := range map[string]string{"reds": "audit-", "invented": `"invented" is not among the last known guidelines`} {
		if got := red.callTool("guardrails_log_decision", strings.Replace(logged, "reds", id, 1)); !strings.Contains(got, want) {
			t.Errorf("%s: %s", id, got)
		}
	}
	files, err := filepath.Glob(filepath.Join(s.vars["XDG_STATE_HOME"], "guardrails", "spool", "*.jsonl"))
	check(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(t, err)
		if strings.Contains(string(text), "invented") {
			t.Errorf("%s", text)
		}
	}
}
