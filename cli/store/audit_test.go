package store_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/config"
	"guardrails/store"
	"guardrails/store/live"
)

// addDecisions adds decisions to the audit. There is an hour between two decisions.
func addDecisions(t *testing.T, s *clitest.Session, from time.Time, decisions ...store.Decision) {
	t.Helper()
	a := &app.App{System: &app.System{Env: func(name string) string { return s.Env[name] }}}
	opened, err := a.OpenOrCreate(t.Context(), &config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	book := opened.For(live.Caller{Actor: "hooks"})
	for i := range decisions {
		at := from.Add(time.Duration(i) * time.Hour)
		e := store.Entry{
			ID: store.NewID(at), Kind: store.KindDecision, Event: "decision", Time: at, Actor: "backend", Session: "s1", Guideline: "a", Version: 1,
			Decision: &decisions[i],
		}
		if _, err := book.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
}

func january() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func TestDecisionsAreShownWithTheirReason(t *testing.T) {
	s := storeSession(t)
	addDecisions(t, s, january(),
		store.Decision{
			Result: "deny", Tool: "Bash",
			Reason: "Denied by a:\n\x1b[2J it deletes ~",
		}, store.Decision{Result: "ask", Tool: "Write", Reason: "because"})
	const want = `2026-01-01 01:00:00Z  decision            backend  a v1  session s1
    ask Write  because
2026-01-01 00:00:00Z  decision            backend  a v1  session s1
    deny Bash  Denied by a: ·[2J it deletes ~
2 entries
`
	if got := s.Must("guardrails audit list --session s1"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	s.Env["TERM"] = "xterm"
	if got := s.Must("guardrails audit list --session s1"); !strings.Contains(got, "\x1b[31mdeny\x1b[0m") ||
		!strings.Contains(got, "\x1b[33mask\x1b[0m") {
		t.Errorf("on a terminal: %q", got)
	}
}

func TestPruneRemovesOldDecisionsAfterAConfirmation(t *testing.T) {
	s := storeSession(t)
	allow := store.Decision{Result: "allow", Tool: "Read"}
	addDecisions(t, s, january(), allow, allow, allow)
	s.Interactive = true
	const ask = "echo %s | guardrails audit prune --keep-days 30"
	for _, answer := range []string{"n", "", "please"} {
		stdout, stderr, code := s.Run(strings.Replace(ask, "%s", "'"+answer+"'", 1))
		if code != app.Failed || stdout != "" ||
			!strings.Contains(stderr, "forever. Continue? [y/N] guardrails audit prune: nothing was removed") {
			t.Errorf("%q: exit %d: %s%s", answer, code, stdout, stderr)
		}
	}
	if got := s.Must(strings.Replace(ask, "%s", "'y'", 1)); got != "removed 3 decisions\n" {
		t.Errorf("the command says %s", got)
	}
	if got := s.Must("guardrails audit list --event audit_pruned"); !strings.Contains(got, "up to entry 3\n1 entry\n") {
		t.Errorf("the audit says %s", got)
	}
	if got := s.Must("guardrails audit verify"); !strings.HasPrefix(got, "intact: ") {
		t.Errorf("verify says %s", got)
	}
}

func TestPruneKeepsTheNewestDecisions(t *testing.T) {
	s := storeSession(t)
	allow := store.Decision{Result: "allow", Tool: "Read"}
	addDecisions(t, s, time.Date(2026, 2, 5, 11, 0, 0, 0, time.UTC), allow, allow, allow)
	if got := s.Must("guardrails audit prune --keep-entries 2 --yes -o json"); got != "{\n  \"pruned\": 1\n}\n" {
		t.Errorf("the command says %s", got)
	}
	var page struct{ Total int }
	if err := json.Unmarshal([]byte(s.Must("guardrails audit list --session s1 -o json")), &page); err != nil ||
		page.Total != 2 {
		t.Errorf("%d are left, %v", page.Total, err)
	}
}
