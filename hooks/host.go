// Package hooks contains the logic of the hooks: one function for each event of the client, which returns the answer.
//
// Inject, Subagent, Enforce, Settle and Stop take the event and a Host, which supplies guidelines, files and the time.
// This lets the hook programs and a server share the logic. Start with Enforce, which judges a tool call.
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

// Host is the environment of a hook: the machine, the session's files, the record, and the source of the guidelines.
type Host struct {
	*host.Machine
	// Settings lists the variables of settings that are set, each as NAME=value. It may be nil.
	Settings func() []string
	Now      func() time.Time
	// Began is when the event came in. Without it, records do not say how long the answer took.
	Began time.Time
	// Dir has the session's files. It is nil if the folder cannot be used; then DirError says why.
	Dir      *private.Dir
	DirError error
	// State is the folder of the record, or "" if there is none. StateError says why it is not the usual one.
	State      string
	StateError error
	// Ask requests guidelines. passed is nil unless a server should have answered and did not; then it is the
	// reason.
	Ask func(request []byte) (answer []byte, passed, err error)
	// Opened is called with each file that stays open after the answer. It is nil in a process that ends with the
	// answer.
	Opened func(io.Closer)
	// Client is the id of the process that started the hook.
	Client int
	// Strict denies calls that cannot be checked. Without it, a person is asked.
	Strict bool
}

// root returns the root of the project that an event belongs to.
func (h *Host) root(e *wire.Event) string {
	if e.Root == "" {
		e.Root = host.Root(h.Env, e.Cwd)
	}
	return e.Root
}

// agent returns the acting agent, or "" for the project's default agent. The answer to the hook's request then contains
// the default agent's name.
func (h *Host) agent(e *wire.Event) string { return host.Agent(e.AgentType, h.Env, "") }

func (h *Host) analysis(e *wire.Event) *effect.Analysis {
	return h.Analyze(h.root(e), e.Cwd, e.Tool, e.Input)
}

// markAlive records that a hook ran for an event of the session. Doctor reports if this is not possible.
func (h *Host) markAlive(e *wire.Event) {
	if h.Dir == nil || e.Session == "" {
		return
	}
	if first, _ := h.Dir.TouchFirst(session.BeatName(e.Session, e.Name)); first {
		h.noteClient(e)
	}
}
