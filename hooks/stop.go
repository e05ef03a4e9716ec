package hooks

import "guardrails/hooks/wire"

// Stop answers the end of a turn, of a subagent or of the session: questions that nobody said yes to are closed, and
// calls that went unchecked are summed up.
func Stop(w *World, e *wire.Event) wire.Outcome {
	w.beat(e)
	var m messages
	switch e.Name {
	case wire.SubagentStop:
		w.closeGates(e, e.Agent)
	case wire.SessionEnd:
		w.closeGatesOf(e, func(string) bool { return true })
		m.add(w.closeGap(e))
		w.forgetCaches(e)
	default:
		w.closeGates(e, "")
		m.add(w.closeGap(e))
	}
	return w.told(e, wire.Outcome{Message: m.text()})
}
