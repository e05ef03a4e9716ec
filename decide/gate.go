package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline"
)

// checkGates adds a finding for each gate that applies to an effect. If several guidelines have the same gate type, the
// guideline with the highest priority decides how strict the gate is.
func (j *judge) checkGates(i int, e *effect.Effect) {
	var seen []*candidate
	for n := range j.candidates {
		m := &j.candidates[n]
		if !j.isGated(m, i, e) {
			continue
		}
		j.advise(m)
		kind := m.Guideline.Action.GateType
		j.steps += len(seen)
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

// isGated reports whether a gate applies to an effect. A gate with tool patterns applies to effects that match or may
// match one of the patterns. A gate whose condition names events or paths applies to every effect that the condition
// matches. Any other gate applies only to effects that change something.
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

// advise() adds a guideline to the advice if it has an instruction, and if its condition or its tool patterns match the
// call itself.
func (j *judge) advise(m *candidate) {
	if m.Guideline.Action.Instruction == "" || !matchesCall(m) && len(m.Asked) == 0 {
		return
	}
	j.steps += len(j.decision.Advice)
	for _, g := range j.decision.Advice {
		if g.ID == m.Guideline.ID {
			return
		}
	}
	j.decision.Advice = append(j.decision.Advice, m.Guideline)
}

// overrides() reports whether one guideline ("higher") replaces another guideline ("lower"). This is the case if both
// guidelines have the same gate type and the first guideline has the higher priority. If the priorities are equal,
// neither guideline replaces the other, and the stricter one decides.
func overrides(higher, lower *candidate) bool {
	a, b := higher.Guideline, lower.Guideline
	return a.Action.GateType == b.Action.GateType && a.Priority > b.Priority
}
