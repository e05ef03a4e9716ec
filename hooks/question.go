package hooks

import (
	"io"
	"time"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/hooks/cache"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/private"
)

// Question is a tool call that does not run. A person or a program only wants to know the decision about the call. So a
// Question has no side effects: no file counts as changed, and no record is written.
type Question struct {
	// Root is the project's root. Cwd is the folder in which the call is made.
	Root, Cwd string
	// Session is the client's id of the session, or empty. Agent is the client's id of a subagent, or empty.
	Session, Agent string
	Tool           string
	// Input is the JSON object of the tool's arguments.
	Input []byte
	// Mode is the permission mode of the client, or empty. Headless is set if no person can answer questions.
	Mode     string
	Headless bool
	// Dir is the folder of the sessions' files. If it is nil, no session is known. If hooks cannot use the folder,
	// Err is the reason.
	Dir *private.Dir
	Err error
}

// Headless reports whether no person can answer questions in the client that started this program. Without a client, a
// person has started the program.
func Headless(env func(string) string) bool {
	how := env(entrypoint)
	return how != "" && isHeadless(how)
}

// Look returns the effects that the call would have, and the facts that are needed to judge the call.
func (q *Question) Look(m *host.Machine) (*effect.Analysis, decide.Facts) {
	call := m.Analyze(q.Root, q.Cwd, q.Tool, q.Input)
	AddRepeatedFailures(q.Dir, q.Session, call)
	AddLoop(q.Dir, &wire.Event{Session: q.Session, Agent: q.Agent, Tool: q.Tool, Input: q.Input}, call)
	m.Trust(q.Root, call)
	facts := m.Facts(q.Root)
	facts.PermissionMode, facts.Headless = q.Mode, &q.Headless
	facts.Session, facts.Agreed = q.soFar(), Agreed(q.Dir, q.Session, q.Agent)
	return call, facts
}

// soFar returns a function that reads what the session has done. It returns nil if the session is not known. If hooks
// cannot use the folder of the sessions' files, the function returns an error, as it does in a hook.
func (q *Question) soFar() func() (decide.Session, error) {
	if q.Err != nil {
		return func() (decide.Session, error) { return decide.Session{}, q.Err }
	}
	return Recorded(q.Dir, q.Session)
}

// Recorded returns a function that reads what a session has done. It returns nil if no hook on this computer has seen
// the session.
func Recorded(dir *private.Dir, id string) func() (decide.Session, error) {
	if dir == nil || id == "" {
		return nil
	}
	for _, name := range [...]string{
		session.LedgerName(id), session.BeatName(id, wire.UserPromptSubmit), session.BeatName(id, wire.PreToolUse),
	} {
		if _, seen := dir.Seen(name); seen {
			return func() (decide.Session, error) { return recorded(dir, id) }
		}
	}
	return nil
}

func recorded(dir *private.Dir, id string) (decide.Session, error) {
	state, err := session.ReadLedger(dir, id)
	if err != nil {
		return decide.Session{}, err
	}
	return decide.Session{Changed: state.Files, Untested: state.Untested, Passed: state.Passed, Tests: testsOf(state)}, nil
}

// OpenCache opens the cached guidelines of a session's agent. Each guideline is read from the file only when it is
// needed.
func OpenCache(dir *private.Dir, id, agent string, now time.Time) (*cache.Cache, io.Closer, error) {
	name := session.CacheName(session.Key(id, agent))
	file, info, err := dir.OpenFile(name)
	if err != nil {
		return nil, nil, err
	}
	c, err := cache.Read(file, info.Size(), now, dir.KeyOf(name))
	return c, file, err
}

// CheckCall returns an error if an event is not a tool call that can be judged.
func CheckCall(e *wire.Event) error {
	switch {
	case e.Tool == "":
		return errNoTool
	case e.Input == nil:
		return errNoInput
	}
	return nil
}
