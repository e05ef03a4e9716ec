//go:build unix

package process_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/server/process"
)

type fixture struct {
	*process.System
	vars   map[string]string
	stderr *os.File
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	base, err := os.MkdirTemp("", "p") // a socket's path must be short
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	check(t, os.MkdirAll(base+"/project", 0o755))
	stderr, err := os.Create(base + "/stderr")
	check(t, err)
	w := &fixture{stderr: stderr, vars: map[string]string{"XDG_STATE_HOME": base + "/state", "GUARDRAILS_CACHE_DIR": base +
		"/run", "XDG_DATA_HOME": base + "/data", "GUARDRAILS_ADDR": "127.0.0.1:0"}}
	w.System = &process.System{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: stderr, Dir: base + "/project", Now: time.Now,
		Version: "1.2.3",
		Env:     func(name string) string { return w.vars[name] },
	}
	return w
}

func (w *fixture) stderrText() string {
	text, _ := os.ReadFile(w.stderr.Name()) // newFixture has created it
	return string(text)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type running struct {
	URL, Page string
	TokenFile string `json:"token_file"`
	Socket    string
	Health    string
	Store     string
	Tenant    string
	end       func() int
}

func serve(t *testing.T, w *fixture, args ...string) *running {
	t.Helper()
	out, in := io.Pipe()
	w.Stdout = in
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() {
		code := process.Run(ctx, append([]string{"serve", "-addr=127.0.0.1:0", "-json"}, args...), w.System)
		_ = in.Close()
		done <- code
	}()
	s := &running{end: func() int { cancel(); return <-done }}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatalf("%v, exit code %d: %s", err, s.end(), w.stderrText())
	}
	check(t, json.Unmarshal(line, s))
	return s
}

func (s *running) post(t *testing.T, body string) string {
	t.Helper()
	token, err := os.ReadFile(s.TokenFile)
	check(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(body))
	check(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	text, err := io.ReadAll(answer.Body)
	check(t, err)
	check(t, answer.Body.Close())
	return fmt.Sprint(answer.StatusCode, " ", string(text))
}

const list = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_list","arguments":{}}}`

func TestServePrintsItsAddressAndAnswersThere(t *testing.T) {
	w := newFixture(t)
	hangUp := make(chan struct{})
	w.HangUp = hangUp
	s := serve(t, w)
	if got := s.post(t, list); !strings.HasPrefix(got, "200 ") || !strings.Contains(got, "security-history") {
		t.Errorf("%s", got)
	}
	if s.TokenFile != w.vars["XDG_STATE_HOME"]+"/guardrails/token" ||
		s.Socket != w.vars["GUARDRAILS_CACHE_DIR"]+"/server.sock" || !strings.HasSuffix(s.Health, "/healthz") {
		t.Errorf("%+v", s)
	}
	hangUp <- struct{}{}
	hangUp <- struct{}{} // the first value has been handled
	if code := s.end(); code != 0 || !strings.Contains(w.stderrText(), "the open stores were reopened; the settings and guidelines will be read again when they are needed") {
		t.Errorf("exit code %d: %s", code, w.stderrText())
	}
	if _, err := os.Lstat(s.Socket); err == nil {
		t.Error("the socket was not removed")
	}
}

func TestStartErrorsNameTheRemedy(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer func() { check(t, taken.Close()) }()
	for name, c := range map[string]struct {
		args []string
		vars map[string]string
		code int
		want string
	}{
		"a port in use": {
			[]string{"serve", "-addr=" + taken.Addr().String()},
			nil, 1,
			"address already in use; end the program that listens there, or choose another port with --addr",
		},
		"no home":       {[]string{"serve"}, map[string]string{"XDG_STATE_HOME": ""}, 1, "set HOME or XDG_STATE_HOME"},
		"no arguments":  {nil, nil, 2, `this program is started by "guardrails mcp" and "guardrails serve"; run one of them`},
		"unknown flags": {[]string{"serve", "-port=1"}, nil, 2, "flag provided but not defined: -port"},
		"a wrong size":  {[]string{"serve", "-memory=1GB"}, nil, 2, "the number of megabytes must be between 1 and 1048576"},
		"no memory":     {[]string{"serve", "-memory=0"}, nil, 2, "the number of megabytes must be between 1 and 1048576"},
		"no number":     {[]string{"serve", "-changes=many"}, nil, 2, "the number of changes must be between 1 and 1000000"},
		"no changes":    {[]string{"serve", "-changes=0"}, nil, 2, "the number of changes must be between 1 and 1000000"},
		"an argument":   {[]string{"serve", "now"}, nil, 2, "serve takes flags only"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			for name, value := range c.vars {
				w.vars[name] = value
			}
			if code := process.Run(t.Context(), c.args, w.System); code != c.code || !strings.Contains(w.stderrText(), c.want) ||
				!strings.HasPrefix(w.stderrText(), "guardrails: ") {
				t.Errorf("%d: %s", code, w.stderrText())
			}
		})
	}
}

func TestAClientOnStdioIsAnswered(t *testing.T) {
	w := newFixture(t)
	var out bytes.Buffer
	w.Stdin, w.Stdout = strings.NewReader(list+"\n"), &out
	if code := process.Run(t.Context(), []string{"mcp"}, w.System); code != 0 ||
		!strings.Contains(out.String(), "security-history") || w.stderrText() != "" {
		t.Errorf("%d: %s %s", code, out.String(), w.stderrText())
	}
}

// If the runtime folder cannot be used, the server cannot answer hooks. The server must still answer the client that
// started this server.
func TestAClientIsAnsweredEvenIfHooksCannotBe(t *testing.T) {
	w := newFixture(t)
	check(t, os.WriteFile(filepath.Join(w.Dir, "file"), nil, 0o600))
	w.vars["GUARDRAILS_CACHE_DIR"] = filepath.Join(w.Dir, "file")
	var out bytes.Buffer
	w.Stdin, w.Stdout = strings.NewReader(list+"\n"), &out
	if code := process.Run(t.Context(), []string{"mcp"}, w.System); code != 0 ||
		!strings.Contains(out.String(), "security-history") {
		t.Errorf("%d: %s", code, out.String())
	}
	if !strings.Contains(w.stderrText(), "this server does not answer hooks") ||
		!strings.Contains(w.stderrText(), "is not a folder") {
		t.Errorf("%s", w.stderrText())
	}
}

func TestVersionPrefersTheVersionOfTheRelease(t *testing.T) {
	if process.Version("v1") != "v1" || process.Version("") == "" {
		t.Error(process.Version(""))
	}
}

func TestServePrintsItsAddressesForPeople(t *testing.T) {
	w := newFixture(t)
	out, in := io.Pipe()
	w.Stdout = in
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() { done <- process.Run(ctx, []string{"serve", "-host=proxy.example"}, w.System) }()
	text := make([]byte, 4096)
	n, err := out.Read(text)
	check(t, err)
	for _, want := range []string{
		"page     http://127.0.0.1:", "/ui/", "MCP      http://127.0.0.1:", "REST     http://127.0.0.1:", "/api/openapi.json)",
		"metrics  http://127.0.0.1:", "store    sqlite:", w.vars["XDG_STATE_HOME"] + "/guardrails/token", "server.sock",
		"server: {url: \"http://127.0.0.1:", "Ctrl-C",
	} {
		if !strings.Contains(string(text[:n]), want) {
			t.Errorf("missing %q in\n%s", want, text[:n])
		}
	}
	cancel()
	if code := <-done; code != 0 {
		t.Errorf("%d %s", code, w.stderrText())
	}
}

func TestAServerOnAllNetworksPrintsAUsableAddress(t *testing.T) {
	s := serve(t, newFixture(t), "-addr=0.0.0.0:0")
	defer s.end()
	if got := s.post(t, list); !strings.HasPrefix(s.URL, "http://localhost:") || !strings.HasPrefix(got, "200 ") {
		t.Errorf("%s: %s", s.URL, got)
	}
}

func TestTheServerPrintsWhereAPersonSignsIn(t *testing.T) {
	for _, c := range []struct {
		how, want string
		browser   func(string) error
	}{
		{"print", "Open this address; it works once, within two minutes: http://127.0.0.1:", nil},
		{"browser", "The page opens in your browser.", func(string) error { return nil }},
		{"browser", "The browser cannot be started: no browser.\nOpen this address; it works once", func(string) error { return errors.New("no browser") }},
	} {
		w := newFixture(t)
		w.Browser = c.browser
		out, in := io.Pipe()
		w.Stdout = in
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan int, 1)
		go func() {
			done <- process.Run(ctx, []string{"serve", "-addr=127.0.0.1:0", "-open=" + c.how}, w.System)
			_ = in.Close()
		}()
		lines := bufio.NewReader(out)
		said := ""
		for !strings.Contains(said, c.want) {
			line, err := lines.ReadString('\n')
			if said += line; err != nil {
				t.Fatalf("%s: %v: %s", c.how, err, said)
			}
		}
		_, rest, printed := strings.Cut(said, "#code=")
		if printed != strings.Contains(c.want, "Open this address") {
			t.Errorf("%s: %s", c.how, said)
		}
		if printed {
			signIn(t, said, strings.TrimSpace(rest))
		}
		cancel()
		if code := <-done; code != 0 || strings.Contains(w.stderrText(), strings.TrimSpace(rest)) && printed {
			t.Errorf("%d %s", code, w.stderrText())
		}
	}
}

func TestOnlyAPersonStartsAServerThatGivesAwayTheRightsOfTheOwner(t *testing.T) {
	for args, want := range map[string]string{
		"serve -addr=127.0.0.1:0 -open=print":   "--open: only a person",
		"serve -addr=127.0.0.1:0 -open=browser": "--open: only a person",
		"serve -addr=127.0.0.1:0 -admin":        "--admin: only a person",
		"mcp -admin":                            "",
	} {
		w := newFixture(t)
		w.Person = func() error { return errors.New("nobody is here") }
		w.PersonOrClient = func() error { return nil }
		w.Browser = func(string) error { t.Errorf("%s opens the page", args); return nil }
		var out bytes.Buffer
		w.Stdout = &out
		ctx, cancel := context.WithTimeout(t.Context(), long)
		code := process.Run(ctx, strings.Fields(args), w.System)
		cancel()
		refused := want != ""
		if (code != 0) != refused || !strings.Contains(w.stderrText(), want) || strings.Contains(out.String(), "#code=") {
			t.Errorf("%s: exit code %d: %s%s", args, code, out.String(), w.stderrText())
		}
	}
}

// signIn begins a session with a code at the address that the server printed.
func signIn(t *testing.T, said, code string) {
	t.Helper()
	_, rest, _ := strings.Cut(said, "page     ")
	base, _, _ := strings.Cut(rest, "/ui/")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/api/session", strings.NewReader(`{"code":"`+code+`"}`))
	check(t, err)
	for name, value := range map[string]string{"Content-Type": "application/json", "Origin": base, "X-Guardrails-Page": "1"} {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	check(t, answer.Body.Close())
	if answer.StatusCode != http.StatusCreated || len(answer.Cookies()) != 1 {
		t.Errorf("%s with %s", answer.Status, code)
	}
}

func TestTheSettingsSwitchThePageOff(t *testing.T) {
	w := newFixture(t)
	check(t, os.MkdirAll(filepath.Join(w.Dir, ".claude"), 0o755))
	check(t, os.WriteFile(filepath.Join(w.Dir, ".claude", "guardrails.yaml"), []byte("ui: off\n"), 0o600))
	s := serve(t, w)
	page, err := http.Get(strings.Replace(s.Health, "/healthz", "/ui/", 1))
	check(t, err)
	check(t, page.Body.Close())
	if s.Page != "" || page.StatusCode != http.StatusUnauthorized {
		t.Errorf("%q %s", s.Page, page.Status)
	}
	if got := s.post(t, list); !strings.HasPrefix(got, "200 ") {
		t.Errorf("the rest of the server: %s", got)
	}
	s.end()
}
