// Package hooks contains the logic of the hooks. It has functions that take an event of the client and return the
// answer to the event.
//
// Inject, Subagent, Enforce, Settle and Stop take the event and a Host, which supplies guidelines, files and the time.
// So the hook programs and a server can share the logic. Start with Enforce, which judges a tool call.
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

// Host holds everything that a hook needs besides the event: the machine, the session's files, the record, and the
// source of the guidelines.
type Host struct {
	*host.Machine
	// Settings lists the environment variables that override settings, each as NAME=value. Settings may be nil.
	Settings func() []string
	Now      func() time.Time
	// The field "Began" is the time at which the hook received the event. If it is zero, records do not say how long
	// the answer took.
	Began time.Time
	// Dir is the folder of the session's files. If the folder cannot be used, Dir is nil and DirError is the reason.
	Dir      *private.Dir
	DirError error
	// State is the folder for records, or "" if there is none. If it is not the usual folder, StateError is the reason.
	State      string
	StateError error
	// The function Ask requests guidelines. If the server should have answered but did not, the result "passed" is the
	// reason. Otherwise, this result is nil.
	Ask func(request []byte) (answer []byte, passed, err error)
	// The function Opened receives each file that is still open after the answer, so that the caller can close the
	// file. Opened is nil if the process ends after the answer.
	Opened func(io.Closer)
	// The function Own starts another program, which compares the guard's own files, and returns the output of this
	// program. Own is nil if the files are not compared.
	Own func(e *wire.Event, program string) ([]byte, error)
	// Program is the path of the running program. If it is empty, the guard's own files are not compared.
	Program string
	// Client is the id of the process that started the hook.
	Client int
	// Strict is set if a call that cannot be checked is denied. If Strict is not set, a person is asked.
	Strict bool
}

func (h *Host) root(e *wire.Event) string {
	if e.Root == "" {
		e.Root = host.Root(h.Env, e.Cwd)
	}
	return e.Root
}

// agent() returns the name of the agent that makes the call. It returns "" if the agent is the project's default agent.
// Only the source of the guidelines knows the name of the default agent, and its answer contains this name.
func (h *Host) agent(e *wire.Event) string { return host.Agent(e.AgentType, h.Env, "") }

func (h *Host) analysis(e *wire.Event) *effect.Analysis {
	return h.Analyze(h.root(e), e.Cwd, e.Tool, e.Input)
}

// markAlive records that a hook ran for an event of the session. If this record cannot be written, the "doctor" command
// reports it.
func (h *Host) markAlive(e *wire.Event) {
	if h.Dir == nil || e.Session == "" {
		return
	}
	if first, _ := h.Dir.TouchFirst(session.BeatName(e.Session, e.Name)); first {
		h.noteClient(e)
	}
}
