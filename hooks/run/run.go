// Package run is the process around a hook: it reads stdin, sees to it that an answer comes in time and whatever happens,
// and writes what the client obeys.
//
// Start with Main. A hook that gives no answer would let the call run, so everything that can go wrong ends in one.
package run

import (
	"errors"
	"io"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/wire"
)

// Hook is one of the hooks.
type Hook struct {
	// Event is what the client calls it for when its document does not say.
	Event string
	// Answers are the functions that answer it, by event.
	Answer func(w *hooks.World, e *wire.Event) wire.Outcome
}

// MaxInput is how much of stdin is read.
const MaxInput = 64 << 20

// Deadline is when a hook answers at the latest, well before the client would give up on it.
const Deadline = 4 * time.Second

// Main runs a hook as a process and does not return.
func Main(h Hook) {
	growStack(0)
	p := &process{hook: h, stdin: os.Stdin, args: os.Args[1:], env: os.Getenv, write: toClient, exit: os.Exit}
	time.AfterFunc(Deadline, p.late)
	p.run()
	// Somebody else was quicker to answer, and ends the process when that is done.
	select {}
}

// process is one run of a hook.
type process struct {
	hook  Hook
	stdin io.Reader
	args  []string
	env   func(string) string
	write func(wire.Reply) error
	exit  func(int)

	// world and event are what is known so far, for the watchdog.
	world atomic.Pointer[hooks.World]
	event atomic.Pointer[wire.Event]
	// answered is set by who answers first.
	answered atomic.Bool
}

// run answers by what the hook says, or by policy when it breaks.
func (p *process) run() {
	defer func() {
		if cause := recover(); cause != nil {
			p.trace(cause, debug.Stack())
			p.fallBack(errors.New("the hook itself failed"))
		}
	}()
	w := newWorld(p.args, p.env)
	p.world.Store(w)
	e, err := p.read()
	known := *e
	p.event.Store(&known)
	if err != nil {
		p.answer(e, hooks.Unreadable(w, e, err))
		return
	}
	p.answer(e, p.hook.Answer(w, e))
}

var errTooLarge = errors.New("stdin is larger than 64 MiB")

// read takes in the client's document.
func (p *process) read() (*wire.Event, error) {
	text, err := readAll(p.stdin)
	if err != nil {
		return &wire.Event{Name: p.hook.Event}, err
	}
	e, err := wire.Parse(text)
	if e.Name == "" {
		e.Name = p.hook.Event
	}
	return &e, err
}

func readAll(r io.Reader) ([]byte, error) {
	// Most documents fit, and the memory is touched only as far as it is used.
	text := make([]byte, 0, 16<<10)
	for {
		n, err := r.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return text, errors.New("stdin cannot be read: " + err.Error())
		case len(text) > MaxInput:
			return nil, errTooLarge
		case len(text) == cap(text):
			text = append(make([]byte, 0, 4*cap(text)), text...)
		}
	}
}

// late answers by policy when the hook has not answered in time.
func (p *process) late() {
	p.fallBack(errors.New("the check took too long"))
}

// recordTime is how long the record of a fallback may take.
const recordTime = 200 * time.Millisecond

// fallBack answers without the hook: a tool call asks a person, or is refused where the project is strict. The record
// comes after the answer, because what the hook hangs on may hang here too.
func (p *process) fallBack(cause error) {
	if !p.answered.CompareAndSwap(false, true) {
		return
	}
	e := p.known()
	o := hooks.Unreadable(&hooks.World{Env: p.env, Now: time.Now, Strict: strict(p.args)}, e, cause)
	exit := p.give(e, &o)
	defer p.exit(exit)
	if w := p.world.Load(); w != nil {
		limit := time.AfterFunc(recordTime, func() { p.exit(exit) })
		hooks.Unreadable(w, e, cause)
		limit.Stop()
	}
}

// known is a copy of what was understood of the event so far: the hook may still be at work on its own.
func (p *process) known() *wire.Event {
	if e := p.event.Load(); e != nil {
		known := *e
		return &known
	}
	return &wire.Event{Name: p.hook.Event}
}

// answer writes the one answer of the process and ends it.
func (p *process) answer(e *wire.Event, o wire.Outcome) {
	if p.answered.CompareAndSwap(false, true) {
		p.exit(p.give(e, &o))
	}
}

// give writes an answer and returns the exit code that goes with it.
func (p *process) give(e *wire.Event, o *wire.Outcome) int {
	reply := o.Answer(e.Name)
	if p.write(reply) != nil && reply.Exit == 0 {
		reply = o.Unheard()
		_ = p.write(reply)
	}
	return reply.Exit
}

func toClient(r wire.Reply) error {
	if len(r.Stderr) > 0 {
		// Nobody obeys what stands here.
		_, _ = os.Stderr.Write(r.Stderr)
	}
	if len(r.Stdout) == 0 {
		return nil
	}
	_, err := os.Stdout.Write(r.Stdout)
	return err
}

// trace writes what broke to the file that GUARDRAILS_DEBUG names.
func (p *process) trace(cause any, stack []byte) {
	name := p.env("GUARDRAILS_DEBUG")
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	if text, ok := cause.(interface{ Error() string }); ok {
		_, _ = file.WriteString(text.Error() + "\n")
	}
	_, _ = file.Write(stack)
	_ = file.Close()
}

// growStack makes the stack large enough for a tool call at once: growing it by and by copies it each time.
//
//go:noinline
func growStack(n int) byte {
	if n == 0 {
		return 0
	}
	var frame [32 << 10]byte
	frame[n] = 1
	return frame[n/2]
}
