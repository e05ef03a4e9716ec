package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline"
)

// checkGates finds the gates for an effect. Of the guidelines with the same gate type, the one with the highest
// priority decides how strict the gate is.
func (j *judge) checkGates(i int, e *effect.Effect) {
	var seen []*candidate
	for n := range j.candidates {
		m := &j.candidates[n]
		if !j.isGated(m, i, e) {
			continue
		}
		j.advise(m)
		kind := m.Guideline.Action.GateType
		if kind == "" || slices.ContainsFunc(seen, func(h *candidate) bool { return overrides(h, m) }) {
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

// isGated reports whether a gate is for this effect. A gate with tool patterns is for the effects that match one of
// them, or that may match one. If the condition names events or paths, it has already matched them. Otherwise the gate
// is only for effects that change something.
func (j *judge) isGated(m *candidate, i int, e *effect.Effect) bool {
	if len(m.Asked) > 0 {
		p, _ := j.firstMatch(m.Asked, i, e)
		return p != nil
	}
	if matchesCall(m) {
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

// advise adds a guideline with an instruction to the advice if its condition or its tool patterns match the call itself.
func (j *judge) advise(m *candidate) {
	if m.Guideline.Action.Instruction == "" || !matchesCall(m) && len(m.Asked) == 0 {
		return
	}
	for _, g := range j.decision.Advice {
		if g.ID == m.Guideline.ID {
			return
		}
	}
	j.decision.Advice = append(j.decision.Advice, m.Guideline)
}

// overrides reports whether a guideline replaces another one for the same gate type because its priority is higher. Of
// two with the same priority the stricter counts.
func overrides(higher, lower *candidate) bool {
	a, b := higher.Guideline, lower.Guideline
	return a.Action.GateType == b.Action.GateType && a.Priority > b.Priority
}
