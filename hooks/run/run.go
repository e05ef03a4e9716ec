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
	_ "guardrails/hooks/stack" // must be initialised first
	"guardrails/hooks/wire"
)

// Hook is one of the hooks.
type Hook struct {
	// Event is the name of the event. It is used if the client's document has no event name.
	Event string
	// Answer answers the hook's events.
	Answer func(h *hooks.Host, e *wire.Event) wire.Outcome
}

// Deadline is when a hook gives a fallback answer. It is well before the client stops waiting.
const Deadline = 4 * time.Second

// Main runs a hook as a process and does not return.
func Main(h Hook) {
	thisProcess(h).start()
	// Another goroutine answers, and then ends the process.
	select {}
}

// process is one run of a hook.
type process struct {
	hook           Hook
	stdin          io.Reader
	stdout, stderr io.Writer
	args           []string
	env            func(string) string
	exit           func(int)

	// host and event are set as soon as they are known. The watchdog reads them.
	host  atomic.Pointer[hooks.Host]
	event atomic.Pointer[wire.Event]
	// answered is set by the first goroutine that answers.
	answered atomic.Bool
}

func thisProcess(h Hook) *process {
	return &process{
		hook: h, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, args: os.Args[1:], env: environment(), exit: os.Exit,
	}
}

// start runs the hook with a watchdog.
func (p *process) start() {
	time.AfterFunc(Deadline, p.timeOut)
	p.run()
}

// run gives the hook's answer, or a fallback answer if the hook fails.
func (p *process) run() {
	defer p.recoverPanic()
	h := newHost(p.args, p.env)
	p.host.Store(h)
	e, err := p.read()
	p.respond(h, e, err)
}

// recoverPanic gives a fallback answer if the hook panicked.
func (p *process) recoverPanic() {
	if cause := recover(); cause != nil {
		p.trace(cause, stackTrace())
		p.fallBack(errors.New("the hook itself failed"))
	}
}

// respond answers an event, even if only a part of the event could be read.
func (p *process) respond(h *hooks.Host, e *wire.Event, err error) {
	known := *e
	p.event.Store(&known)
	if err != nil {
		p.answer(e, hooks.Unreadable(h, e, err))
		return
	}
	p.answer(e, p.hook.Answer(h, e))
}

// stackTrace returns the stack of a panic.
func stackTrace() []byte {
	text := make([]byte, 64<<10)
	return text[:runtime.Stack(text, false)]
}
