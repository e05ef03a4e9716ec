package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// machine is a computer: it has a home folder, a project, and a server that uses the store of all machines.
type machine struct {
	t                 *testing.T
	dir, bin, project string
	address, token    string
	server            *exec.Cmd
	log               *os.File
	ended             chan error
	clock             io.WriteCloser
	// The field "ahead" is the duration by which the server's clock is ahead of the real time.
	ahead time.Duration
	// The counter "life" is even while the server runs, and odd while the server is dead. The counter "stops" is odd while
	// the server is stopped, and even otherwise.
	life, stops atomic.Int64
}

// newMachine creates a machine and starts its server. The parameter "bin" is the folder of the programs.
func newMachine(t *testing.T, bin, store string) *machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "m") // a socket's path must be short
	must(t, err)
	dir, err = filepath.EvalSymlinks(dir)
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	m := &machine{
		t: t, dir: dir, bin: bin, project: filepath.Join(dir, "project"),
		address: fmt.Sprint("127.0.0.1:", freePorts(t, 1)[0]),
	}
	config := filepath.Join(dir, "home/.config/guardrails")
	for _, name := range []string{config, filepath.Join(dir, "run"), filepath.Join(m.project, ".claude")} {
		must(t, os.MkdirAll(name, 0o700))
	}
	must(t, os.WriteFile(filepath.Join(config, "guardrails.yaml"), []byte("tenant: "+tenant+"\npacks: []\nstore: "+store+"\n"), 0o600))
	m.life.Add(1)
	m.start()
	t.Cleanup(func() {
		if m.server != nil {
			m.kill()
		}
	})
	return m
}

// programs() builds the programs of a machine and returns their folder. The server is a copy of the test binary,
// because hooks only trust a server that is in their own folder.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir+"/", "./cmd/guardrails", "./cmd/guardrails-inject", "./cmd/guardrails-enforce",
		"./cmd/guardrails-stop", "./cmd/guardrails-subagent")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	self, err := os.Executable()
	must(t, err)
	program, err := os.ReadFile(self)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "guardrails-server"), program, 0o700))
	return dir
}

// env() returns the environment of the programs of a machine.
func (m *machine) env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(m.dir, "home"), "XDG_RUNTIME_DIR=" + filepath.Join(m.dir, "run"),
		"CLAUDE_PROJECT_DIR=" + m.project, "LANG=C.UTF-8",
	}
}

func (m *machine) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(m.bin, name), args...)
	c.Dir, c.Env = m.project, m.env()
	return c
}

// start() starts the server and waits until it answers.
func (m *machine) start() {
	m.t.Helper()
	log, err := os.OpenFile(filepath.Join(m.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(m.t, err)
	m.log, m.ended = log, make(chan error, 1)
	m.server = m.command("guardrails-server", "serve", "-addr="+m.address)
	m.server.Env, m.server.Stderr = append(m.server.Env, asServer+"=1"), log
	m.clock, err = m.server.StdinPipe()
	must(m.t, err)
	must(m.t, m.server.Start())
	m.setClock(m.ahead)
	go func(server *exec.Cmd, ended chan error) { ended <- server.Wait() }(m.server, m.ended)
	waitUntil(m.t, "the server answers", func() bool {
		if len(m.ended) > 0 {
			m.t.Fatalf("the server ended: %s", m.words())
		}
		return m.healthy()
	})
	token, err := os.ReadFile(filepath.Join(m.dir, "home/.local/state/guardrails/token"))
	must(m.t, err)
	m.token = strings.TrimSpace(string(token))
	m.life.Add(1)
}

func (m *machine) healthy() bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+m.address+"/healthz", nil)
	if err != nil {
		return false
	}
	answer, err := oneConnectionEach.Do(r)
	return err == nil && answer.Body.Close() == nil
}

// ready() reports whether the server can read and change its store.
func (m *machine) ready() bool {
	a := m.request(m.t.Context(), http.MethodGet, "/readyz", "", nil)
	return a.err == nil && bytes.Contains(a.body, []byte(`"ready"`))
}

// setClock sets the duration by which the server's clock is ahead of the real time.
func (m *machine) setClock(ahead time.Duration) {
	m.t.Helper()
	m.ahead = ahead
	_, err := fmt.Fprintln(m.clock, ahead)
	must(m.t, err)
}

// stop() stops the server, and goOn() lets the server continue.
func (m *machine) stop() {
	m.t.Helper()
	m.stops.Add(1)
	must(m.t, m.server.Process.Signal(syscall.SIGSTOP))
}

func (m *machine) goOn() {
	m.t.Helper()
	must(m.t, m.server.Process.Signal(syscall.SIGCONT))
	m.stops.Add(1)
}

// kill() kills the server.
func (m *machine) kill() {
	m.life.Add(1)
	_ = m.end(syscall.SIGKILL) // the error only says that the process was killed
}

// end() sends a signal to the server and waits until the process exits.
func (m *machine) end(by syscall.Signal) error {
	err := m.server.Process.Signal(by)
	err = errors.Join(err, <-m.ended, m.log.Close())
	m.server = nil
	return err
}

// emptySpool adds the records that are still in the spool to the audit. A server that is shutting down has little time
// to add them. So on a busy computer, the server may leave some records for the next program that starts. In the tests,
// emptySpool runs a command as this next program.
func (m *machine) emptySpool() {
	m.t.Helper()
	waitUntil(m.t, "no records are left in the spool", func() bool {
		out, err := m.command("guardrails", "audit", "list", "--page-size=1").CombinedOutput()
		return err == nil && !bytes.Contains(out, []byte("are missing here"))
	})
}

// words() returns the log of the server.
func (m *machine) words() string {
	text, _ := os.ReadFile(filepath.Join(m.dir, "log")) // the file may not exist yet
	return string(text)
}

// waitUntil waits until a condition is met.
func waitUntil(t *testing.T, what string, met func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !met(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited two minutes until %s", what)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
