//go:build unix

// Package killed_test kills the server again and again, while programs, agents, hooks and another process use the
// server and its store. In the end, every acknowledged write must exist exactly once, and every hook must have answered
// correctly.
//
// Start with TestAcknowledgedWritesSurviveKills. load_test.go has the writers, and hooks_test.go has the hooks.
package killed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

type fixture struct {
	t                  *testing.T
	dir, bin, project  string
	address, tokenFile string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	dir, err := os.MkdirTemp("", "k") // a socket's path must be short
	check(t, err)
	dir, err = filepath.EvalSymlinks(dir)
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &fixture{
		t: t, dir: dir, bin: filepath.Join(dir, "bin"), project: filepath.Join(dir, "project"),
		tokenFile: filepath.Join(dir, "home/.local/state/guardrails/token"),
	}
	for _, name := range []string{"bin", "home", "run", "project/.claude"} {
		check(t, os.MkdirAll(filepath.Join(dir, name), 0o700))
	}
	check(t, os.WriteFile(filepath.Join(s.project, ".claude", "guardrails.yaml"), []byte("tenant: red\npacks: []\n"),
		0o600))
	args := []string{"build", "-o", s.bin + "/"}
	for _, name := range []string{"guardrails", "guardrails-server", "guardrails-inject", "guardrails-enforce"} {
		args = append(args, "guardrails/cmd/"+name)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.address = freeAddress(t)
	return s
}

func freeAddress(t *testing.T) string {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	check(t, on.Close())
	return on.Addr().String()
}

func (s *fixture) database() string {
	return filepath.Join(s.dir, "home/.local/share/guardrails/guardrails.db")
}

func (s *fixture) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, name), args...)
	c.Dir = s.project
	c.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(s.dir, "home"), "XDG_RUNTIME_DIR=" + filepath.Join(s.dir, "run"),
		"CLAUDE_PROJECT_DIR=" + s.project, "LANG=C.UTF-8",
	}
	return c
}

type running struct {
	*exec.Cmd
	log   *os.File
	ended chan error
}

// serve starts a server and waits until it answers.
func (s *fixture) serve() *running {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	check(s.t, err)
	v := &running{s.command("guardrails-server", "serve", "-addr="+s.address, "-json"), log, make(chan error, 1)}
	v.Stderr = log
	check(s.t, v.Start())
	go func() { v.ended <- v.Wait() }()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if answer, err := http.Get("http://" + s.address + "/healthz"); err == nil {
			_ = answer.Body.Close()
			return v
		}
		if len(v.ended) > 0 {
			break
		}
	}
	_ = v.Process.Kill()
	s.t.Fatalf("the server does not answer: %s", s.serverLog())
	return nil
}

// end sends a signal to the server and waits until the process exits.
func (v *running) end(by syscall.Signal) error {
	err := v.Process.Signal(by)
	return errors.Join(err, <-v.ended, v.log.Close())
}

func (s *fixture) serverLog() string {
	text, _ := os.ReadFile(filepath.Join(s.dir, "log")) // the file may not exist yet
	return string(text)
}

type answer struct {
	status int
	body   []byte
	err    error
}

// post sends a POST request with the first token.
func (s *fixture) post(ctx context.Context, path, key string, body any) answer {
	token, err := os.ReadFile(s.tokenFile)
	text, encodeErr := json.Marshal(body)
	r, requestErr := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.address+path, bytes.NewReader(text))
	if err := errors.Join(err, encodeErr, requestErr); err != nil {
		return answer{err: err}
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer func() { _ = got.Body.Close() }() // errors of Close do not matter after reading
	var b bytes.Buffer
	_, err = b.ReadFrom(got.Body)
	return answer{got.StatusCode, b.Bytes(), err}
}

func guideline(id, denied string) map[string]any {
	return map[string]any{
		"id": id, "name": id, "category": "security",
		"action": map[string]any{"type": "tool_restriction", "tools_denied": []string{fmt.Sprintf("Write(%s/*)", denied)}},
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
