// Package run is the process around a hook: it reads stdin, sees to it that an answer comes in time and whatever happens,
// and writes what the client obeys.
//
// Start with Main. A hook that gives no answer would let the call run, so everything that can go wrong ends in one:
// answer.go says how.
package run

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"guardrails/hooks"
	_ "guardrails/hooks/stack" // first of all
	"guardrails/hooks/wire"
)

// Hook is one of the hooks.
type Hook struct {
	// Event is what the client calls it for when its document does not say.
	Event string
	// Answer answers its events.
	Answer func(h *hooks.Host, e *wire.Event) wire.Outcome
}

// Deadline is when a hook answers at the latest, well before the client would give up on it.
const Deadline = 4 * time.Second

// Main runs a hook as a process and does not return.
func Main(h Hook) {
	thisProcess(h).start()
	// Somebody else was quicker to answer, and ends the process when that is done.
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

	// host and event are what is known so far, for the watchdog.
	host  atomic.Pointer[hooks.Host]
	event atomic.Pointer[wire.Event]
	// answered is set by who answers first.
	answered atomic.Bool
}

func thisProcess(h Hook) *process {
	return &process{hook: h, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, args: os.Args[1:], env: environment(), exit: os.Exit}
}

// start runs the hook under the eyes of a watchdog.
func (p *process) start() {
	time.AfterFunc(Deadline, p.late)
	p.run()
}

// run answers by what the hook says, or by policy when it breaks.
func (p *process) run() {
	defer p.mend()
	h := newHost(p.args, p.env)
	p.host.Store(h)
	e, err := p.read()
	p.respond(h, e, err)
}

// mend answers by policy where the hook broke.
func (p *process) mend() {
	if cause := recover(); cause != nil {
		p.trace(cause, traced())
		p.fallBack(errors.New("the hook itself failed"))
	}
}

// respond answers an event, or what could be read of one.
func (p *process) respond(h *hooks.Host, e *wire.Event, err error) {
	known := *e
	p.event.Store(&known)
	if err != nil {
		p.answer(e, hooks.Unreadable(h, e, err))
		return
	}
	p.answer(e, p.hook.Answer(h, e))
}

// traced is where the hook broke.
func traced() []byte {
	text := make([]byte, 64<<10)
	return text[:runtime.Stack(text, false)]
}
