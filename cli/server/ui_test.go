package server_test

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/server/access"
	"guardrails/server/lock"
	"guardrails/server/rest"
)

// answering() starts a server for the page. The server has the owner's token of the given state folder.
func answering(t *testing.T, state string) (address string, sessions *access.Sessions) {
	t.Helper()
	dir, err := private.Open(filepath.Join(state, "guardrails"))
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC) }
	keys, _, err := access.OpenKeyring(dir, "", clock)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(nil)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	sessions = access.NewSessions(keys, port, clock)
	s.Config.Handler = rest.New(rest.Options{Sessions: sessions, Now: clock})
	s.Start()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String(), sessions
}

func TestThePageOpensWithACodeThatOnlyTheBrowserSees(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	s.Env["XDG_STATE_HOME"] = s.Root + "/state"
	address, sessions := answering(t, s.Root+"/state")
	file := ""
	s.Browser = func(path string) error { file = path; return nil }
	out := s.Must("guardrails ui --addr " + address)
	if want := "http://" + address + "/ui/ opens in your browser."; !strings.HasPrefix(out, want) || strings.Contains(out, "code") {
		t.Errorf("%s", out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "/ui/#code=")
	code, _, _ := strings.Cut(rest, `"`)
	if _, err := sessions.WithCode(code); err != nil {
		t.Errorf("the code %q is not accepted: %v", code, err)
	}
}

func TestTheAddressWithACodeIsPrinted(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	s.Env["XDG_STATE_HOME"] = s.Root + "/state"
	address, sessions := answering(t, s.Root+"/state")
	var said struct {
		Address string
		Opened  bool
	}
	if err := json.Unmarshal([]byte(s.Must("guardrails ui --print -o json --addr "+address)), &said); err != nil {
		t.Fatal(err)
	}
	plain := s.Must("guardrails ui --print --addr " + address)
	for _, given := range []string{said.Address, strings.TrimSpace(plain)} {
		code, found := strings.CutPrefix(given, "http://"+address+"/ui/#code=")
		if _, err := sessions.WithCode(code); err != nil || !found || said.Opened {
			t.Errorf("%s: %v", given, err)
		}
	}
}

func TestNoCodeIsMadeForAnotherProgramOnThePort(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	s.Env["XDG_STATE_HOME"] = s.Root + "/state"
	own, _ := answering(t, s.Root+"/state")
	stranger, _ := answering(t, t.TempDir())
	relay := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := http.Post("http://"+own+r.URL.Path, "application/json", r.Body)
		if err == nil {
			defer func() { _ = answer.Body.Close() }()
			_, err = io.Copy(w, answer.Body)
		}
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(relay.Close)
	silent := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(silent.Close)
	redirect := httptest.NewServer(http.RedirectHandler("http://"+own+"/api/session/proof", http.StatusTemporaryRedirect))
	t.Cleanup(redirect.Close)
	s.Browser = func(string) error { return errors.New("the browser was started") }
	for name, address := range map[string]string{
		"another user's server": stranger, "a program that passes requests on": relay.Listener.Addr().String(),
		"a program without sessions": silent.Listener.Addr().String(), "a redirection": redirect.Listener.Addr().String(),
	} {
		for _, flags := range []string{"", " --print"} {
			out, stderr, code := s.Run("guardrails ui --addr " + address + flags)
			if code != app.Failed || !strings.Contains(stderr, "is not your server") || out != "" {
				t.Errorf("%s: exit %d: %s%s", name, code, out, stderr)
			}
		}
	}
}

func TestThePageIsNotOpened(t *testing.T) {
	s := clitest.New(t, map[string]string{".claude/guardrails.yaml": "ui: off\n"})
	s.Env["XDG_STATE_HOME"] = s.Root + "/state"
	if _, stderr, code := s.Run("guardrails ui --addr 127.0.0.1:1"); code != app.Failed || !strings.Contains(stderr, `remove "ui: off" from the settings`) {
		t.Errorf("switched off: exit %d: %s", code, stderr)
	}
	s.Write(".claude/guardrails.yaml", "ui: on\n")
	address, _ := answering(t, s.Root+"/state")
	s.Browser = func(string) error { return errors.New("no browser") }
	if _, stderr, code := s.Run("guardrails ui --addr " + address); code != app.Failed || !strings.Contains(stderr, "no browser; to see the address, run: guardrails ui --print") {
		t.Errorf("without a browser: exit %d: %s", code, stderr)
	}
}

// holding() does what the server of a session does when it offers the page: it takes the lock of the page and records
// the page's address.
func holding(t *testing.T, s *clitest.Session, p page.Place) {
	t.Helper()
	dir, err := private.Runtime(func(name string) string { return s.Env[name] })
	if err != nil {
		t.Fatal(err)
	}
	held, err := lock.Take(t.Context(), dir, page.Shown, func() {})
	if err == nil {
		err = page.Write(dir, p)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Release() })
}

func TestThePageOfARunningSessionIsOpened(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	s.Env["XDG_STATE_HOME"] = s.Root + "/state"
	address, sessions := answering(t, s.Root+"/state")
	holding(t, s, page.Place{Address: address, Root: s.Root})
	code, found := strings.CutPrefix(strings.TrimSpace(s.Must("guardrails ui --print")), "http://"+address+"/ui/#code=")
	if _, err := sessions.WithCode(code); err != nil || !found {
		t.Errorf("%s: %v", code, err)
	}
}

func TestThePageOfAnotherTenantIsNotOpened(t *testing.T) {
	s := clitest.New(t, map[string]string{".claude/guardrails.yaml": "tenant: red\n"})
	s.Env["XDG_STATE_HOME"] = s.Root + "/state"
	address, _ := answering(t, s.Root+"/state")
	holding(t, s, page.Place{Address: address, Tenant: "blue", Root: s.Root})
	if out := s.Must("guardrails ui --print"); !strings.Contains(out, "serve -addr=127.0.0.1:0 -open=print") {
		t.Errorf("%s", out)
	}
}

func TestThePageOfAnotherProjectIsNotOpened(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	s.Env["XDG_STATE_HOME"] = s.Root + "/state"
	address, _ := answering(t, s.Root+"/state")
	holding(t, s, page.Place{Address: address, Root: "/another/project"})
	if out := s.Must("guardrails ui --print"); !strings.Contains(out, "serve -addr=127.0.0.1:0 -open=print") {
		t.Errorf("%s", out)
	}
}

func TestAServerIsStartedOnAnotherPortIfAnotherProgramHasTheAddress(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	s.Env["XDG_STATE_HOME"] = s.Root + "/state"
	stranger := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(stranger.Close)
	holding(t, s, page.Place{Address: strings.TrimPrefix(stranger.URL, "http://"), Root: s.Root})
	if out := s.Must("guardrails ui --print"); !strings.Contains(out, "serve -addr=127.0.0.1:0 -open=print") {
		t.Errorf("%s", out)
	}
}
