package proof

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"guardrails/store"
)

// The kinds of calls.
const (
	get    = "get"
	trail  = "trail"
	create = "create"
	update = "update"
	toggle = "toggle"
	remove = "delete"
)

// isRead reports whether a call changes nothing.
func (c call) isRead() bool { return c.what == get || c.what == trail }

// call is a call that a client makes for one guideline.
type call struct {
	what    string
	id      string
	version int
	name    string
	// The field "write" is the write id of a change. A repetition of the change has the same id.
	write string
}

// answer is the result of a call. The result of an interrupted call is unknown: the call may take effect at any later
// time.
type answer struct {
	unknown bool
	// The flag "untouched" is set if the answer of the store says that the call certainly changed nothing.
	untouched bool
	code      store.Code
	// version is the version of the guideline. In a conflict, it is the current version. For a trail, it is the newest
	// version in the audit.
	version int
	name    string
	enabled bool
}

// state is the state of one guideline.
type state struct {
	live    bool
	version int
	name    string
	enabled bool
}

// oneGuideline returns a porcupine model of what the contract says about one guideline.
func oneGuideline() porcupine.Model {
	return porcupine.Model{
		Partition: byGuideline,
		Init:      func() any { return state{} },
		Step: func(now, input, output any) (bool, any) {
			next, want := now.(state).stateAfter(input.(call))
			got := output.(answer)
			if got.untouched {
				return true, now
			}
			return got.unknown || got == want, next
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
	}
}

func byGuideline(all []porcupine.Operation) [][]porcupine.Operation {
	parts := map[string][]porcupine.Operation{}
	for _, o := range all {
		id := o.Input.(call).id
		parts[id] = append(parts[id], o)
	}
	out := make([][]porcupine.Operation, 0, len(parts))
	for _, part := range parts {
		out = append(out, part)
	}
	return out
}

// stateAfter returns the state after a call, and the answer to the call.
func (s state) stateAfter(c call) (state, answer) {
	switch {
	case c.what == trail:
		return s, answer{version: s.version} // each change makes one version and one entry of the audit
	case c.what == create && s.live:
		return s, answer{code: store.Conflict, version: s.version}
	case c.what == create:
		return s.become(state{true, s.version + 1, c.name, true})
	case !s.live:
		return s, answer{code: store.NotFound}
	case c.what == get:
		return s.become(s)
	case c.version != s.version:
		return s, answer{code: store.Conflict, version: s.version}
	}
	next := state{true, s.version + 1, s.name, s.enabled}
	switch c.what {
	case update:
		next.name, next.enabled = c.name, true
	case toggle:
		next.enabled = !s.enabled
	case remove:
		return state{version: next.version}, answer{}
	}
	return s.become(next)
}

func (state) become(next state) (state, answer) {
	return next, answer{version: next.version, name: next.name, enabled: next.enabled}
}
