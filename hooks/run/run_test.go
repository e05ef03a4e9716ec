package run

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/host"
)

// outcome() runs a hook with a text on stdin. It returns the hook's output and its exit code.
func outcome(t *testing.T, h Hook, stdin io.Reader, args ...string) (wire.Reply, int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := newProcess(t, h, stdin)
	p.args, p.stdout, p.stderr = args, &stdout, &stderr
	// On a slow machine, the timer may answer first. If the record takes too long as well, the process ends twice.
	ended := make(chan int, 2)
	p.exit = func(code int) { ended <- code }
	p.start()
	p.timeOut()
	exit := <-ended
	return wire.Reply{Stdout: stdout.Bytes(), Stderr: stderr.Bytes()}, exit
}

// newProcess returns a process that discards its output, does not exit, and has its own folders.
func newProcess(t *testing.T, h Hook, stdin io.Reader) *process {
	t.Helper()
	base := t.TempDir()
	env := map[string]string{"HOME": base, "GUARDRAILS_CACHE_DIR": filepath.Join(base, "run"), "GUARDRAILS_DEBUG": filepath.Join(base, "debug")}
	return &process{
		hook: h, stdin: stdin, stdout: io.Discard, stderr: io.Discard,
		env: func(name string) string { return env[name] }, exit: func(int) {},
	}
}

var enforce = Hook{Event: wire.PreToolUse, Answer: hooks.ToolCall}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

type endless byte

func (e endless) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte{byte(e)}, 64<<10)), nil
}

// The cases are rows of docs/decisions.md. If the hook cannot understand a tool call, it asks a person. In a strict
// project, it denies the call.
func TestAnEventThatCannotBeUnderstoodAsks(t *testing.T) {
	for name, stdin := range map[string]func() io.Reader{
		"nothing":                 func() io.Reader { return strings.NewReader("") },
		"only space":              func() io.Reader { return strings.NewReader(" \n\t") },
		"no JSON":                 func() io.Reader { return strings.NewReader("hello") },
		"a list":                  func() io.Reader { return strings.NewReader(`[1]`) },
		"half a document":         func() io.Reader { return strings.NewReader(`{"tool_name":"Bash","tool_in`) },
		"a wrong type":            func() io.Reader { return strings.NewReader(`{"tool_name":["Bash"],"tool_input":{}}`) },
		"wrong input":             func() io.Reader { return strings.NewReader(`{"tool_name":"Bash","tool_input":"rm"}`) },
		"a broken pipe":           func() io.Reader { return brokenReader{} },
		"more than 64 MiB":        func() io.Reader { return endless('a') },
		"deep nesting":            func() io.Reader { return strings.NewReader(strings.Repeat(`{"a":`, 1<<20)) },
		"text after the document": func() io.Reader { return strings.NewReader(`{"tool_name":"Bash","tool_input":{}} {}`) },
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

const aCall = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}`

func TestAHookThatFailsAsksAndNeverAllows(t *testing.T) {
	for cause, traced := range map[any]string{"broken": "broken", errors.New("worse"): "worse", 5: "goroutine"} {
		h := Hook{Event: wire.PreToolUse, Answer: func(*hooks.Host, *wire.Event) wire.Outcome { panic(cause) }}
		p := newProcess(t, h, strings.NewReader(aCall))
		var stdout bytes.Buffer
		p.stdout = &stdout
		p.run()
		if out := stdout.String(); !strings.Contains(out, `"permissionDecision":"ask"`) || !strings.Contains(out, "the hook itself failed") {
			t.Errorf("%v: %s", cause, out)
		}
		if text, err := os.ReadFile(p.env("GUARDRAILS_DEBUG")); err != nil || !strings.Contains(string(text), traced) {
			t.Errorf("%v: the trace says %s, %v", cause, text, err)
		}
	}
}

func TestATraceThatCannotBeWrittenChangesNothing(t *testing.T) {
	h := Hook{Event: wire.PreToolUse, Answer: func(*hooks.Host, *wire.Event) wire.Outcome { panic("broken") }}
	for _, name := range []string{"", "/nowhere/at/all"} {
		var stdout bytes.Buffer
		p := newProcess(t, h, strings.NewReader(aCall))
		p.stdout, p.env = &stdout, func(variable string) string { return map[string]string{"GUARDRAILS_DEBUG": name}[variable] }
		if p.run(); !strings.Contains(stdout.String(), `"permissionDecision":"ask"`) {
			t.Errorf("%q: %s", name, &stdout)
		}
	}
}

type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

func TestACallIsStoppedByTheExitCodeIfTheAnswerCannotBeWritten(t *testing.T) {
	for verdict, want := range map[wire.Verdict]int{wire.Pass: 0, wire.Ask: 2, wire.Deny: 2} {
		var stderr bytes.Buffer
		h := Hook{Answer: func(*hooks.Host, *wire.Event) wire.Outcome {
			return wire.Outcome{Verdict: verdict, Reason: "the reason", Message: "said"}
		}}
		p := newProcess(t, h, strings.NewReader(aCall))
		exit := -1
		p.stdout, p.stderr, p.exit = deaf{}, &stderr, func(code int) { exit = code }
		p.run()
		if exit != want || verdict != wire.Pass && stderr.String() != "the reason\n" {
			t.Errorf("verdict %d: exit %d, want %d; %q", verdict, exit, want, &stderr)
		}
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

// recorder keeps the output. At the first write, it lets the hook continue.
type recorder struct {
	bytes.Buffer
	release chan struct{}
}

func (r *recorder) Write(text []byte) (int, error) {
	close(r.release)
	return r.Buffer.Write(text)
}

func TestTheWatchdogAnswersWhenTheHookDoesNot(t *testing.T) {
	out := &recorder{release: make(chan struct{})}
	h := Hook{Event: wire.PreToolUse, Answer: func(*hooks.Host, *wire.Event) wire.Outcome {
		<-out.release
		return wire.Outcome{Verdict: wire.Deny, Reason: "too late"}
	}}
	p := newProcess(t, h, strings.NewReader(aCall))
	ended := make(chan int, 2)
	p.stdout, p.exit = out, func(code int) { ended <- code }
	time.AfterFunc(0, p.timeOut)
	p.run()
	if code := <-ended; code != 0 || !strings.Contains(out.String(), "the check took too long") || strings.Contains(out.String(), "too late") {
		t.Errorf("exit %d, %s", code, out)
	}
}

func TestARecordThatHangsDoesNotDelayTheExit(t *testing.T) {
	p := newProcess(t, Hook{Event: wire.PreToolUse}, nil)
	ended, release := make(chan int, 2), make(chan struct{})
	p.exit = func(code int) { ended <- code }
	p.host.Store(&hooks.Host{Machine: &host.Machine{Env: p.env}, State: t.TempDir(), Now: func() time.Time { <-release; return time.Time{} }})
	go p.timeOut()
	if code := <-ended; code != 0 {
		t.Errorf("exit %d", code)
	}
	close(release)
	<-ended
}

func TestAProcessUsesTheStandardStreamsAndArguments(t *testing.T) {
	p := thisProcess(enforce)
	if p.stdin != os.Stdin || p.stdout != os.Stdout || p.stderr != os.Stderr || p.hook.Event != wire.PreToolUse || len(p.args) != len(os.Args)-1 {
		t.Errorf("got %+v", p.args)
	}
}

func TestTheWatchdogAnswersBeforeAnythingIsKnown(t *testing.T) {
	for event, want := range map[string]string{wire.PreToolUse: `"permissionDecision":"ask"`, wire.UserPromptSubmit: "systemMessage"} {
		var stdout bytes.Buffer
		p := newProcess(t, Hook{Event: event}, nil)
		p.stdout = &stdout
		if p.timeOut(); !strings.Contains(stdout.String(), want) {
			t.Errorf("%s: %s", event, &stdout)
		}
	}
}
