// Package hooks is the logic of each hook: a function from the client's event to what is answered.
//
// Inject, Subagent, Enforce, Settle and Stop are given the event and a World, which says where guidelines, files and the
// time come from; so the same logic serves small binaries and a server. Start with Enforce, which judges a tool call.
package hooks

import (
	"io"
	"time"

	"guardrails/detect/effect"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/private"
)

// World is everything outside that a hook needs.
type World struct {
	*host.Machine
	// Settings lists the variables of settings that are set, each as NAME=value; nil where there are none.
	Settings func() []string
	Now      func() time.Time
	// Began is when the event came in; unset, records do not say how long it took.
	Began time.Time
	// Dir holds the session's files; nil when it cannot be used, and then DirError says why.
	Dir      *private.Dir
	DirError error
	// State is the folder of the spool; empty when there is none. StateError says why it is not the usual one.
	State      string
	StateError error
	// Ask gets the answer to a question for guidelines. Passed is why the server was passed over where it should not have
	// been; nil when it answered, or when there is none.
	Ask func(request []byte) (answer []byte, passed, err error)
	// Opened is told of each file that stays open when the answer is given; nil where the process ends with it.
	Opened func(io.Closer)
	// Client is the process that ran the hook.
	Client int
	// Strict makes what cannot be checked a refusal and not a question.
	Strict bool
}

// root returns the root of the project that an event belongs to.
func (w *World) root(e *wire.Event) string {
	if e.Root == "" {
		e.Root = host.Root(w.Env, e.Cwd)
	}
	return e.Root
}

// agent returns who acts, or nothing: the default agent is for the answer to the hook's question to fill in.
func (w *World) agent(e *wire.Event) string { return host.Agent(e.AgentType, w.Env, "") }

func (w *World) analysis(e *wire.Event) *effect.Analysis {
	return w.Analyze(w.root(e), e.Cwd, e.Tool, e.Input)
}

// beat leaves the sign that a hook ran for an event of the session. A sign that cannot be left is what doctor looks for.
func (w *World) beat(e *wire.Event) {
	if w.Dir != nil && e.Session != "" {
		_ = w.Dir.Touch(session.BeatName(e.Session, e.Name))
	}
}
