//go:build unix

package process_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/server/process"
)

func TestMain(m *testing.M) {
	if os.Getenv("PROCESS_TEST_CLIENT") == "" {
		os.Exit(m.Run())
	}
	os.Exit(process.Run(context.Background(), []string{"mcp"}, &process.System{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: ".", Now: time.Now, Version: "1.2.3", Env: os.Getenv,
	}))
}

// The constant "long" is a generous time limit, because the computers that run tests are busy.
const long = time.Minute

// client is a server on stdio, as the client starts it.
type client struct {
	input  io.Writer
	output *bufio.Reader
	end    func()
}

func (w *fixture) client(t *testing.T) *client {
	t.Helper()
	in, open := io.Pipe()
	system := *w.System
	out, print := io.Pipe()
	system.Stdin, system.Stdout = in, print
	done := make(chan int, 1)
	go func() { done <- process.Run(context.Background(), []string{"mcp"}, &system) }()
	var once sync.Once
	end := func() {
		once.Do(func() {
			_, _ = open.Close(), out.Close()
			<-done
		})
	}
	t.Cleanup(end)
	return &client{open, bufio.NewReader(out), end}
}

// call() asks the server and waits for its answer.
func (c *client) call(t *testing.T, request string) string {
	t.Helper()
	_, err := io.WriteString(c.input, request+"\n")
	check(t, err)
	answer, err := c.output.ReadString('\n')
	check(t, err)
	return answer
}

// pageIs waits until the note names an address for which holds() returns true. It returns this address.
func (w *fixture) pageIs(t *testing.T, what string, holds func(address string, found bool) bool) string {
	t.Helper()
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		dir, err := private.Runtime(func(name string) string { return w.vars[name] })
		if err != nil {
			continue
		}
		if at, found := page.Find(dir); holds(at.Address, found) {
			return at.Address
		}
	}
	t.Fatalf("%s: the page is not as expected: %s", what, w.stderrText())
	return ""
}

func (w *fixture) opened(t *testing.T, what string) string {
	t.Helper()
	return w.pageIs(t, what, func(_ string, found bool) bool { return found })
}

func wantPage(t *testing.T, address string) {
	t.Helper()
	answer, err := http.Get("http://" + address + "/ui/")
	for end := time.Now().Add(long); err != nil && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		answer, err = http.Get("http://" + address + "/ui/")
	}
	check(t, err)
	check(t, answer.Body.Close())
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("%s: %s", address, answer.Status)
	}
}

// freePort returns an address on which no program listens. The port is in a range from which the system never chooses a
// port by itself. So programs that accept any free port do not get it.
func freePort(t *testing.T) string {
	t.Helper()
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 20000+rand.N(10000))
		if on, err := net.Listen("tcp", address); err == nil {
			check(t, on.Close())
			return address
		}
	}
}

func TestTheServerOfASessionOffersThePageAndTheNextOneTakesOver(t *testing.T) {
	w := newFixture(t)
	first := w.client(t)
	one := w.opened(t, "the first session")
	wantPage(t, one)
	w.client(t)
	first.end()
	two := w.pageIs(t, "the second session", func(address string, found bool) bool { return found && address != one })
	wantPage(t, two)
}

func TestTheNextServerTakesThePageOverFromAKilledOne(t *testing.T) {
	w := newFixture(t)
	address := freePort(t)
	w.vars["GUARDRAILS_ADDR"] = address
	child := exec.Command(os.Args[0])
	child.Dir = w.Dir
	child.Env = []string{"PROCESS_TEST_CLIENT=1"}
	for name, value := range w.vars {
		child.Env = append(child.Env, name+"="+value)
	}
	input, err := child.StdinPipe() // stdin stays open while the process runs
	check(t, err)
	check(t, child.Start())
	w.opened(t, "the process that will be killed")
	wantPage(t, address)
	w.client(t)
	check(t, child.Process.Kill())
	_ = child.Wait() // the process was killed
	_ = input.Close()
	w.opened(t, "the next process")
	wantPage(t, address)
}

func TestAServerThatAPersonStartsGetsTheAddressAndGivesItBack(t *testing.T) {
	w := newFixture(t)
	address := freePort(t)
	w.vars["GUARDRAILS_ADDR"] = address
	w.client(t)
	w.opened(t, "the session")
	other := *w
	system := *w.System
	other.System = &system
	s := serve(t, &other, "-addr="+address)
	if got := s.post(t, list); !strings.HasPrefix(got, "200 ") || s.Page != "http://"+address+"/ui/" {
		t.Errorf("%s %s", s.Page, got)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, w.stderrText())
	}
	w.opened(t, "the session again")
	wantPage(t, address)
	if text := w.stderrText(); strings.Contains(text, "does not offer the page") || strings.Contains(text, "ERROR") {
		t.Errorf("%s", text)
	}
}

func TestAServerThatAPersonStartsGetsThePortForEveryNameOfThisComputer(t *testing.T) {
	for _, name := range []string{"localhost", "", "0.0.0.0"} {
		w := newFixture(t)
		address := freePort(t)
		w.vars["GUARDRAILS_ADDR"] = address
		w.client(t)
		w.opened(t, "the session")
		other := *w
		system := *w.System
		other.System = &system
		_, port, err := net.SplitHostPort(address)
		check(t, err)
		s := serve(t, &other, "-addr="+net.JoinHostPort(name, port))
		if got := w.pageIs(t, name, func(_ string, found bool) bool { return found }); !strings.HasSuffix(got, ":"+port) {
			t.Errorf("%q: the page is at %s", name, got)
		}
		if code := s.end(); code != 0 {
			t.Errorf("%q: exit code %d: %s", name, code, w.stderrText())
		}
	}
}

func TestAServerThatAnAgentStartsDoesNotTakeThePage(t *testing.T) {
	w := newFixture(t)
	address := freePort(t)
	w.vars["GUARDRAILS_ADDR"] = address
	w.client(t)
	w.opened(t, "the session")
	system := *w.System
	system.Person = func() error { return errors.New("an agent started it") }
	if code := process.Run(t.Context(), []string{"serve", "-addr=" + address}, &system); code == 0 {
		t.Error("the server of the agent took the address")
	}
	wantPage(t, address)
}

func TestAServerWithoutAPersonShowsThePageIfTheAddressIsFree(t *testing.T) {
	w := newFixture(t)
	address := freePort(t)
	w.vars["GUARDRAILS_ADDR"] = address
	w.Person = func() error { return errors.New("a service started it") }
	s := serve(t, w, "-addr="+address)
	if got := w.opened(t, "the server"); got != address {
		t.Errorf("the page is at %s", got)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, w.stderrText())
	}
}

func TestASessionOffersThePageOnThisComputerOnly(t *testing.T) {
	w := newFixture(t)
	w.vars["GUARDRAILS_ADDR"] = "0.0.0.0:7117"
	w.client(t)
	for end := time.Now().Add(long); !strings.Contains(w.stderrText(), "is not an address of this computer"); {
		if time.Now().After(end) {
			t.Fatalf("%s", w.stderrText())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestThePageAppearsOnceTheSettingsAreCorrected(t *testing.T) {
	w := newFixture(t)
	file := filepath.Join(w.Dir, ".claude", "guardrails.yaml")
	check(t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(t, os.WriteFile(file, []byte("tenant: [\n"), 0o600))
	w.client(t)
	for end := time.Now().Add(long); !strings.Contains(w.stderrText(), "until its settings can be read"); {
		if time.Now().After(end) {
			t.Fatalf("%s", w.stderrText())
		}
		time.Sleep(10 * time.Millisecond)
	}
	check(t, os.WriteFile(file, []byte("tenant: red\n"), 0o600))
	w.opened(t, "the corrected settings")
}

func TestASessionWorksWithoutThePage(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer func() { check(t, taken.Close()) }()
	w := newFixture(t)
	w.vars["GUARDRAILS_ADDR"] = taken.Addr().String()
	w.client(t)
	for end := time.Now().Add(long); !strings.Contains(w.stderrText(), "this server does not offer the page"); {
		if time.Now().After(end) {
			t.Fatalf("%s", w.stderrText())
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !strings.Contains(w.stderrText(), taken.Addr().String()) || !strings.Contains(w.stderrText(), "address already in use") {
		t.Errorf("%s", w.stderrText())
	}
}

func TestTheSettingsSwitchThePageOfSessionsOff(t *testing.T) {
	w := newFixture(t)
	check(t, os.MkdirAll(filepath.Join(w.Dir, ".claude"), 0o755))
	check(t, os.WriteFile(filepath.Join(w.Dir, ".claude", "guardrails.yaml"), []byte("ui: off\n"), 0o600))
	c := w.client(t)
	c.call(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},`+
		`"clientInfo":{"name":"test","version":"1"}}}`)
	c.call(t, list) // the server has read the settings
	c.end()
	if _, err := os.Stat(filepath.Join(w.vars["GUARDRAILS_CACHE_DIR"], page.Lock)); err == nil {
		t.Error("the page is off, but a session waits for its address")
	}
}
