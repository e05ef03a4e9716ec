//go:build unix

package process_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/server/process"
)

const toggleNothing = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_toggle","arguments":{"id":"none","version":1}}}`

func TestFlagsSetTheStoreAndTheTenant(t *testing.T) {
	w := newFixture(t)
	file := filepath.Join(filepath.Dir(w.Dir), "elsewhere", "g.db")
	s := serve(t, w, "-store=sqlite:"+file, "-tenant=red")
	if s.Store != "sqlite:"+file || s.Tenant != "red" {
		t.Errorf("%+v", s)
	}
	if got := s.post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":{}}}`); !strings.Contains(got, `"tenant_id":"red"`) {
		t.Errorf("%s", got)
	}
	if code := s.end(); code != 0 {
		t.Errorf("%d: %s", code, w.stderrText())
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	if text := w.stderrText(); !strings.Contains(text, "an empty one was created") || !strings.Contains(text, file) {
		t.Errorf("the log does not report the new database: %s", text)
	}
}

func TestTheAdminFlagEnablesToolsForAdmins(t *testing.T) {
	plain, admin := newFixture(t), newFixture(t)
	s := serve(t, plain)
	if got := s.post(t, toggleNothing); !strings.Contains(got, "not found") {
		t.Errorf("%s", got)
	}
	s.end()
	s = serve(t, admin, "-admin")
	if got := s.post(t, toggleNothing); !strings.Contains(got, "there is no guideline none") {
		t.Errorf("%s", got)
	}
	s.end()
}

func TestTheLogCanBeJSON(t *testing.T) {
	w := newFixture(t)
	hangUp := make(chan struct{})
	w.HangUp = hangUp
	s := serve(t, w, "-log-format=json")
	hangUp <- struct{}{}
	hangUp <- struct{}{} // the first one has been handled
	s.end()
	lines := 0
	for line := range strings.Lines(w.stderrText()) {
		var entry struct{ Time, Level, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Time == "" || entry.Msg == "" {
			t.Errorf("%v: %s", err, line)
		}
		lines++
	}
	if lines == 0 {
		t.Error("the log is empty")
	}
}

func TestAChangedFirstTokenAppliesAfterAHangUp(t *testing.T) {
	w := newFixture(t)
	hangUp := make(chan struct{})
	w.HangUp = hangUp
	s := serve(t, w)
	renewed := strings.Repeat("n", 40)
	check(t, os.WriteFile(s.TokenFile, []byte(renewed+"\n"), 0o600))
	if got := s.post(t, list); !strings.HasPrefix(got, "401 ") {
		t.Errorf("before: %s", got)
	}
	hangUp <- struct{}{}
	hangUp <- struct{}{} // the first one has been handled
	if got := s.post(t, list); !strings.HasPrefix(got, "200 ") {
		t.Errorf("after: %s", got)
	}
	s.end()
	if strings.Contains(w.stderrText(), renewed) {
		t.Error("the log contains a token")
	}
}

func TestAServerDoesNotStartIfItsTenantIsUnknown(t *testing.T) {
	w := newFixture(t)
	check(t, os.MkdirAll(filepath.Join(w.Dir, ".claude"), 0o755))
	check(t, os.WriteFile(filepath.Join(w.Dir, ".claude", "guardrails.yaml"), []byte("tenant: [a\n"), 0o644))
	if code := process.Run(t.Context(), []string{"serve", "-addr=127.0.0.1:0"}, w.System); code != 1 ||
		!strings.Contains(w.stderrText(), "the tenant is unknown: ") {
		t.Errorf("%d: %s", code, w.stderrText())
	}
}
