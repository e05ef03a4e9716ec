package hooks

import (
	"guardrails/decide"
	"guardrails/hooks/wire"
)

// Stop answers the end of a turn, of a subagent or of the session. It removes questions that were not approved and
// reports how many calls were not checked.
func Stop(h *Host, e *wire.Event) wire.Outcome {
	if isToolEvent(e) {
		return h.withNotices(e, AnswerOwn(h, e))
	}
	h.markAlive(e)
	var m messages
	m.add(h.endOwn(e))
	switch e.Name {
	case wire.SubagentStop:
		h.closeGates(e, e.Agent)
	case wire.SessionEnd:
		h.closeGatesOf(e, func(string) bool { return true })
		h.forget(e, decide.ForTurn, decide.ForSession)
		m.add(h.endUnguarded(e))
		h.forgetCaches(e)
	default:
		h.closeGates(e, "")
		m.add(h.endUnguarded(e))
	}
	return h.withNotices(e, wire.Outcome{Message: m.text()})
}
