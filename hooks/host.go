// Package hooks is the logic of each hook: a function from the client's event to what is answered.
//
// Inject, Subagent, Enforce, Settle and Stop are given the event and a Host, which says where guidelines, files and the
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

// Host is everything outside that a hook needs.
type Host struct {
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
func (h *Host) root(e *wire.Event) string {
	if e.Root == "" {
		e.Root = host.Root(h.Env, e.Cwd)
	}
	return e.Root
}

// agent returns who acts, or nothing: the default agent is for the answer to the hook's question to fill in.
func (h *Host) agent(e *wire.Event) string { return host.Agent(e.AgentType, h.Env, "") }

func (h *Host) analysis(e *wire.Event) *effect.Analysis {
	return h.Analyze(h.root(e), e.Cwd, e.Tool, e.Input)
}

// beat leaves the sign that a hook ran for an event of the session. A sign that cannot be left is what doctor looks for.
func (h *Host) beat(e *wire.Event) {
	if h.Dir != nil && e.Session != "" {
		_ = h.Dir.Touch(session.BeatName(e.Session, e.Name))
	}
}
