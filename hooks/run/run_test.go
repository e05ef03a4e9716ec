package run

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/wire"
)

// outcome runs a hook on a text and returns what the process writes and its exit code.
func outcome(t *testing.T, h Hook, stdin io.Reader, args ...string) (wire.Reply, int) {
	t.Helper()
	base := t.TempDir()
	env := map[string]string{"HOME": base, "GUARDRAILS_CACHE_DIR": filepath.Join(base, "run")}
	var reply wire.Reply
	writes, exit := 0, -1
	p := &process{
		hook: h, stdin: stdin, args: args, env: func(name string) string { return env[name] },
		write: func(r wire.Reply) error { reply = r; writes++; return nil }, exit: func(code int) { exit = code },
	}
	p.run()
	if writes != 1 {
		t.Fatalf("answered %d times", writes)
	}
	return reply, exit
}

var enforce = Hook{Event: wire.PreToolUse, Answer: hooks.ToolCall}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

// endless gives the same byte for as long as it is read.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// Every row is one of docs/decisions.md: whatever comes in on stdin, a tool call that cannot be understood asks, and is
// refused where the project is strict.
func TestWhatCannotBeUnderstoodAsks(t *testing.T) {
	for name, stdin := range map[string]func() io.Reader{
		"nothing":            func() io.Reader { return strings.NewReader("") },
		"only space":         func() io.Reader { return strings.NewReader(" \n\t") },
		"no JSON":            func() io.Reader { return strings.NewReader("hello") },
		"a list":             func() io.Reader { return strings.NewReader(`[1]`) },
		"half a document":    func() io.Reader { return strings.NewReader(`{"tool_name":"Bash","tool_in`) },
		"a wrong type":       func() io.Reader { return strings.NewReader(`{"tool_name":["Bash"],"tool_input":{}}`) },
		"wrong input":        func() io.Reader { return strings.NewReader(`{"tool_name":"Bash","tool_input":"rm"}`) },
		"a broken pipe":      func() io.Reader { return brokenReader{} },
		"more than 64 MiB":   func() io.Reader { return endless('a') },
		"deep nesting":       func() io.Reader { return strings.NewReader(strings.Repeat(`{"a":`, 1<<20)) },
		"text behind an end": func() io.Reader { return strings.NewReader(`{"tool_name":"Bash","tool_input":{}} {}`) },
	} {
		t.Run(name, func(t *testing.T) {
			reply, exit := outcome(t, enforce, stdin())
			if exit != 0 || !strings.Contains(string(reply.Stdout), `"permissionDecision":"ask"`) {
				t.Errorf("exit %d, %s", exit, reply.Stdout)
			}
			reply, exit = outcome(t, enforce, stdin(), "--strict")
			if exit != 2 || !strings.Contains(string(reply.Stdout), `"permissionDecision":"deny"`) || len(reply.Stderr) == 0 {
				t.Errorf("strict: exit %d, %s", exit, reply.Stdout)
			}
		})
	}
}

func TestAHookThatBreaksAsksAndNeverAllows(t *testing.T) {
	panics := Hook{Event: wire.PreToolUse, Answer: func(*hooks.World, *wire.Event) wire.Outcome { panic("broken") }}
	reply, exit := outcome(t, panics, strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}`))
	if exit != 0 || !strings.Contains(string(reply.Stdout), `"permissionDecision":"ask"`) || !strings.Contains(string(reply.Stdout), "the hook itself failed") {
		t.Errorf("exit %d, %s", exit, reply.Stdout)
	}
}

func TestAPromptIsNeverStopped(t *testing.T) {
	inject := Hook{Event: wire.UserPromptSubmit, Answer: hooks.Inject}
	for _, text := range []string{"", "x", `{"prompt":3}`, `{"prompt":"hi"}`} {
		reply, exit := outcome(t, inject, strings.NewReader(text))
		if exit != 0 || strings.Contains(string(reply.Stdout), "permissionDecision") {
			t.Errorf("%q: exit %d, %s", text, exit, reply.Stdout)
		}
	}
}

func TestTheWatchdogAnswersWhenTheHookDoesNot(t *testing.T) {
	release := make(chan struct{})
	var replies []wire.Reply
	p := &process{
		hook:  Hook{Event: wire.PreToolUse, Answer: func(*hooks.World, *wire.Event) wire.Outcome { <-release; return wire.Outcome{} }},
		stdin: strings.NewReader(`{"tool_name":"Bash","tool_input":{}}`), env: func(string) string { return "" },
		write: func(r wire.Reply) error { replies = append(replies, r); close(release); return nil }, exit: func(int) {},
	}
	time.AfterFunc(0, p.late)
	p.run()
	if len(replies) != 1 || !strings.Contains(string(replies[0].Stdout), "the check took too long") {
		t.Errorf("answered %d times: %v", len(replies), replies)
	}
}

func TestLinksAreFollowedInThePartThatExists(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(base, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	if got, want := Resolve(filepath.Join(base, "link", "new", "file")), filepath.Join(base, "new", "file"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestGitsWordOnACommitIsRead(t *testing.T) {
	status := "M  staged.go\x00 M changed.go\x00?? new.go\x00A  contracts/a b.yaml\x00"
	for all, want := range map[bool]string{false: "staged.go,contracts/a b.yaml", true: "staged.go,changed.go,new.go,contracts/a b.yaml"} {
		if got := strings.Join(statusFiles(status, all), ","); got != want {
			t.Errorf("all %v: got %s, want %s", all, got, want)
		}
	}
}
