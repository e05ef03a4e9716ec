//go:build unix

package process_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// The flags come from the person who starts the server, so they take precedence over this person's settings.
func TestFlagsOverrideTheSettingsOfTheUser(t *testing.T) {
	w := newFixture(t)
	base := filepath.Dir(w.Dir)
	w.vars["XDG_CONFIG_HOME"] = filepath.Join(base, "config")
	check(t, os.MkdirAll(filepath.Join(base, "config/guardrails"), 0o755))
	settings := "store: sqlite:" + base + "/users.db\ntenant: blue\n"
	check(t, os.WriteFile(filepath.Join(base, "config/guardrails/guardrails.yaml"), []byte(settings), 0o600))
	file := filepath.Join(base, "elsewhere", "g.db")
	s := serve(t, w, "-store=sqlite:"+file, "-tenant=red")
	if s.Store != "sqlite:"+file || s.Tenant != "red" {
		t.Errorf("%+v", s)
	}
	if code := s.end(); code != 0 {
		t.Errorf("%d: %s", code, w.stderrText())
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
	if got := s.post(t, toggleNothing); !strings.Contains(got, `there is no guideline \"none\"`) {
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
	hangUp <- struct{}{} // the first value has been handled
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

func TestAChangedFirstTokenAppliesAtOnce(t *testing.T) {
	w := newFixture(t)
	s := serve(t, w)
	old, renewed := *s, strings.Repeat("n", 40)
	old.TokenFile = t.TempDir() + "/old"
	check(t, os.Link(s.TokenFile, old.TokenFile))
	check(t, os.Remove(s.TokenFile))
	check(t, os.WriteFile(s.TokenFile, []byte(renewed+"\n"), 0o600))
	if got := old.post(t, list); !strings.HasPrefix(got, "401 ") {
		t.Errorf("the old token: %s", got)
	}
	if got := s.post(t, list); !strings.HasPrefix(got, "200 ") {
		t.Errorf("the new token: %s", got)
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
		!strings.Contains(w.stderrText(), "the settings cannot be used, so the tenant is unknown: ") {
		t.Errorf("%d: %s", code, w.stderrText())
	}
}

// When the program is replaced, the old process must stop answering hooks. Only a process of the new program has
// the new packs.
func TestAServerWhoseProgramWasReplacedGivesUpTheSocket(t *testing.T) {
	w := newFixture(t)
	w.Program = filepath.Join(filepath.Dir(w.Dir), "program")
	check(t, os.WriteFile(w.Program, []byte("1"), 0o600))
	older := serve(t, w)
	if older.Socket == "" {
		t.Fatal("the server has no socket")
	}
	held := func() bool {
		_, err := os.Lstat(older.Socket)
		return err == nil
	}
	eventually(t, "the server binds the socket", held)
	check(t, os.WriteFile(w.Program+".new", []byte("2"), 0o600))
	check(t, os.Rename(w.Program+".new", w.Program))
	eventually(t, "the server gives up the socket", func() bool { return !held() })
	if got := older.post(t, list); !strings.HasPrefix(got, "200 ") {
		t.Errorf("on the port: %s", got)
	}
	ready, err := http.Get(strings.Replace(older.Health, "/healthz", "/readyz", 1))
	check(t, err)
	check(t, ready.Body.Close())
	if ready.StatusCode != http.StatusOK {
		t.Errorf("the server is not ready: %s", ready.Status)
	}
	if code := older.end(); code != 0 || !strings.Contains(w.stderrText(), "the program was replaced") {
		t.Errorf("%d: %s", code, w.stderrText())
	}
}

func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within ten seconds: %s", what)
		}
	}
}
