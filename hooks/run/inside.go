package run

import (
	"bytes"
	"io"
	"sync"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
)

// Inside does the work of the hook programs inside a server to which the client is connected. So the client need not
// start a process for each hook. The logic, the files, the deadline and the fallback answers are the same as in the
// hook programs. Inside is safe for concurrent use.
type Inside struct {
	// Env is the environment of the session in which the client started the server.
	Env func(string) string
	// Ask answers a request for guidelines.
	Ask func(request []byte) ([]byte, error)
}

// Answer returns what the hook program would print for an event. The event is given as the arguments of a tool call.
func (s *Inside) Answer(arguments []byte) []byte {
	e, strictly, err := wire.ParseArguments(arguments)
	var args []string
	if strictly {
		args = []string{strictFlag}
	}
	return s.answer(hookFor(e.Name), &e, args, err)
}

func (s *Inside) answer(h Hook, e *wire.Event, args []string, unread error) []byte {
	if e.Name == "" {
		e.Name = h.Event
	}
	var out bytes.Buffer
	ended := make(chan struct{})
	end := sync.OnceFunc(func() { close(ended) })
	p := &process{hook: h, stdout: &out, stderr: io.Discard, args: args, env: s.Env, exit: func(int) { end() }}
	watchdog := time.AfterFunc(h.deadline(), p.timeOut)
	defer watchdog.Stop()
	go func() {
		defer p.recoverPanic()
		var open files
		defer open.close()
		h := s.host(args)
		h.Opened = open.add
		p.host.Store(h)
		p.respond(h, e, unread)
	}()
	<-ended
	if out.Len() == 0 {
		// The client treats an answer that is not JSON as a failure.
		return []byte("{}")
	}
	return document.Trim(out.Bytes())
}

func (s *Inside) host(args []string) *hooks.Host {
	h, _ := machine(args, s.Env)
	h.Ask = func(request []byte) (answer []byte, passed, err error) {
		answer, err = s.Ask(request)
		return answer, nil, err
	}
	h.Own = func(e *wire.Event, _ string) ([]byte, error) {
		o := hooks.AnswerOwn(h, e)
		return o.Answer(e.Name).Stdout, nil
	}
	return h
}

type files []io.Closer

func (f *files) add(c io.Closer) { *f = append(*f, c) }

func (f *files) close() {
	for _, c := range *f {
		_ = c.Close() // a failed Close loses nothing, because the files were only read
	}
}

// hookFor returns the hook that answers an event. An event with an unknown name may come before a tool call, so the
// hook that checks calls answers it.
func hookFor(event string) Hook {
	switch event {
	case wire.SessionStart, wire.UserPromptSubmit:
		return Hook{Event: event, Answer: hooks.Inject}
	case wire.SubagentStart:
		return Hook{Event: event, Answer: hooks.Subagent}
	case wire.Stop, wire.SubagentStop, wire.SessionEnd:
		return Hook{Event: event, Answer: hooks.Stop}
	}
	return Hook{Event: wire.PreToolUse, Answer: hooks.ToolCall}
}
