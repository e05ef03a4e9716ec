package hooks

import "guardrails/hooks/wire"

// Stop answers the end of a turn, of a subagent or of the session: questions that nobody said yes to are closed, and
// calls that went unchecked are summed up.
func Stop(h *Host, e *wire.Event) wire.Outcome {
	h.beat(e)
	var m messages
	switch e.Name {
	case wire.SubagentStop:
		h.closeGates(e, e.Agent)
	case wire.SessionEnd:
		h.closeGatesOf(e, func(string) bool { return true })
		m.add(h.closeGap(e))
		h.forgetCaches(e)
	default:
		h.closeGates(e, "")
		m.add(h.closeGap(e))
	}
	return h.told(e, wire.Outcome{Message: m.text()})
}
