package run

import (
	"errors"
	"os"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/product"
)

// A process answers only once: with the hook's answer, or with a fallback answer if the hook fails or is too slow.
// The goroutine that answers also ends the process, so no other goroutine can end the process before the answer is
// complete.

func (p *process) answer(e *wire.Event, o wire.Outcome) {
	if p.answered.CompareAndSwap(false, true) {
		p.exit(p.give(e, &o))
	}
}

func (p *process) timeOut() {
	p.fallBack(errors.New("the check took too long"))
}

// recordTime limits how long the process waits for its record after a fallback answer.
const recordTime = 150 * time.Millisecond

// fallBack answers instead of the hook. It asks a person about a tool call. In a strict project it denies the call.
// fallBack writes the record after the answer, because the problem that blocks the hook may block the record too.
func (p *process) fallBack(cause error) {
	if !p.answered.CompareAndSwap(false, true) {
		return
	}
	e := p.eventSoFar()
	o := hooks.Unreadable(&hooks.Host{Machine: &host.Machine{Env: p.env}, Now: time.Now, Strict: strict(p.args)}, e, cause)
	exit := p.give(e, &o)
	defer p.exit(exit)
	if h := p.host.Load(); h != nil {
		limit := time.AfterFunc(recordTime, func() { p.exit(exit) })
		hooks.Unreadable(h, e, cause)
		limit.Stop()
	}
}

// eventSoFar returns a copy of the event, or an event with only a name if the event has not been read yet.
func (p *process) eventSoFar() *wire.Event {
	if e := p.event.Load(); e != nil {
		known := *e
		return &known
	}
	return &wire.Event{Name: p.hook.Event}
}

// give() writes an answer and returns the exit code that belongs to it.
func (p *process) give(e *wire.Event, o *wire.Outcome) int {
	reply := o.Answer(e.Name)
	if p.write(reply) != nil && reply.Exit == 0 {
		reply = o.Unheard()
		_ = p.write(reply)
	}
	return reply.Exit
}

func (p *process) write(r wire.Reply) error {
	if len(r.Stderr) > 0 {
		// If this fails, the exit code still stops the call.
		_, _ = p.stderr.Write(r.Stderr)
	}
	if len(r.Stdout) == 0 {
		return nil
	}
	_, err := p.stdout.Write(r.Stdout)
	return err
}

// trace() writes the cause of a failure and the stack to the file whose path is in GUARDRAILS_DEBUG.
func (p *process) trace(cause any, stack []byte) {
	name := p.env(product.VariableDebug)
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	switch cause := cause.(type) {
	case error:
		_, _ = file.WriteString(cause.Error() + "\n")
	case string:
		_, _ = file.WriteString(cause + "\n")
	}
	_, _ = file.Write(stack)
	_ = file.Close()
}
