package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline"
)

// gates finds the gates that an effect meets: for each type of gate the guideline of the highest priority decides how
// strict it is.
func (j *judge) gates(i int, e *effect.Effect) {
	var seen []*held
	for n := range j.held {
		m := &j.held[n]
		if !gated(m, e) {
			continue
		}
		j.advise(m)
		kind := m.Guideline.Action.GateType
		if kind == "" || slices.ContainsFunc(seen, func(h *held) bool { return decides(h, m) }) {
			continue
		}
		seen = append(seen, m)
		outcome := Ask
		if m.Guideline.Action.Threshold() == guideline.Advisory {
			outcome = Warn
		}
		j.add(Finding{Guideline: m.Guideline, Outcome: outcome, Effect: i, Event: m.event})
	}
}

// gated reports whether a gate is for this effect: one that names events or paths is; one that speaks only of who is
// at work holds for what changes something.
func gated(m *held, e *effect.Effect) bool {
	if named(m) {
		return true
	}
	switch e.Kind {
	case effect.Read, effect.Use, effect.Fetch:
		return false
	case effect.Run:
		return !e.Inert
	}
	return true
}

// advise keeps an instruction that is for this call and not for the whole prompt.
func (j *judge) advise(m *held) {
	if m.Guideline.Action.Instruction == "" || !named(m) {
		return
	}
	for _, g := range j.decision.Advice {
		if g.ID == m.Guideline.ID {
			return
		}
	}
	j.decision.Advice = append(j.decision.Advice, m.Guideline)
}

// decides reports whether a guideline has decided the gate of another one: it has the same type and a higher priority.
// Of equal ones both count, and the stricter wins.
func decides(higher, lower *held) bool {
	return higher.Guideline.Action.GateType == lower.Guideline.Action.GateType && higher.Guideline.Priority > lower.Guideline.Priority
}
