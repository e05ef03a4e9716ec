// Package run runs a hook as a process. It reads stdin and always writes an answer in time, because without an answer
// the client would allow the call.
//
// Start with Main. The file answer.go handles failures.
package run

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"guardrails/hooks"
	_ "guardrails/hooks/stack" // this package must be initialized first
	"guardrails/hooks/wire"
)

// Hook is a hook program: what it does, and for which event.
type Hook struct {
	// The field "Event" is the name of the event if the client's document does not name the event.
	Event string
	// Answer returns the hook's answer to an event.
	Answer func(h *hooks.Host, e *wire.Event) wire.Outcome
}

// Deadline is how long a hook may take, and CallDeadline is how long the hook of a tool call may take. After this time,
// the process gives a fallback answer, well before the client stops waiting. With Deadline, the process writes the
// answer and the record within four seconds, and with CallDeadline within two seconds.
const (
	Deadline     = 3750 * time.Millisecond
	CallDeadline = 1750 * time.Millisecond
)

func (h Hook) deadline() time.Duration {
	if h.Event == wire.PreToolUse {
		return CallDeadline
	}
	return Deadline
}

// patience() returns how long the hook waits for a server.
func (h Hook) patience() time.Duration {
	if h.Event == wire.Stop {
		return stopTimeout
	}
	return warmTimeout
}

// Main runs a hook as a process and does not return.
func Main(h Hook) {
	thisProcess(h).start()
	// Wait forever: another goroutine answers and ends the process.
	select {}
}

type process struct {
	hook           Hook
	stdin          io.Reader
	stdout, stderr io.Writer
	args           []string
	env            func(string) string
	exit           func(int)

	// The fields "host" and "event" are set as soon as they are known. The watchdog reads these fields.
	host  atomic.Pointer[hooks.Host]
	event atomic.Pointer[wire.Event]
	// The field "answered" is set by the first goroutine that answers. All other goroutines do nothing after that.
	answered atomic.Bool
}

func thisProcess(h Hook) *process {
	return &process{
		hook: h, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, args: os.Args[1:], env: environment(), exit: os.Exit,
	}
}

// start() runs the hook. A timer gives a fallback answer if the hook takes too long.
func (p *process) start() {
	time.AfterFunc(p.hook.deadline(), p.timeOut)
	p.run()
}

// run() writes the hook's answer. If the hook fails, it writes a fallback answer.
func (p *process) run() {
	defer p.recoverPanic()
	h := newHost(p.args, p.env, p.hook.deadline(), p.hook.patience())
	p.host.Store(h)
	e, err := p.read()
	p.respond(h, e, err)
}

func (p *process) recoverPanic() {
	if cause := recover(); cause != nil {
		p.trace(cause, stackTrace())
		p.fallBack(errors.New("the hook itself failed"))
	}
}

// respond() writes the answer to an event, even if only a part of the event could be read.
func (p *process) respond(h *hooks.Host, e *wire.Event, err error) {
	known := *e
	p.event.Store(&known)
	if err != nil {
		p.answer(e, hooks.Unreadable(h, e, err))
		return
	}
	p.answer(e, p.hook.Answer(h, e))
}

func stackTrace() []byte {
	text := make([]byte, 64<<10)
	return text[:runtime.Stack(text, false)]
}
