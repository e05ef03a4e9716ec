package proof

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"guardrails/store"
)

// The calls that clients make.
const (
	get    = "get"
	create = "create"
	update = "update"
	toggle = "toggle"
	remove = "delete"
)

// call is what a client asked of one guideline.
type call struct {
	what    string
	id      string
	version int
	name    string
}

// answer is what it got. An unknown answer is that of a call that was given up: it may have happened at any later time.
type answer struct {
	unknown bool
	code    store.Code
	// version is that of the guideline, or the current one that a conflict carries.
	version int
	name    string
	enabled bool
}

// state is what one guideline is.
type state struct {
	live    bool
	version int
	name    string
	enabled bool
}

// oneGuideline is the contract for one guideline as porcupine wants it: what a call answers, and what is then.
func oneGuideline() porcupine.Model {
	return porcupine.Model{
		Partition: byGuideline,
		Init:      func() any { return state{} },
		Step: func(now, input, output any) (bool, any) {
			next, want := now.(state).after(input.(call))
			got := output.(answer)
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

// after is what a call makes of a guideline, and what it answers.
func (s state) after(c call) (state, answer) {
	switch {
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
