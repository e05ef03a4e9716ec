package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline"
)

// An agent must not change its own guard, whatever the guidelines say. A guideline replaces this rule only if it is in
// the strictest layer, names the event "guard_tamper", applies to the effect, and either restricts tools or sets a
// mandatory gate.

// SelfProtection is the id of the built-in rule. No exception covers this rule, and a yes to its question is never
// remembered.
const SelfProtection = "self-protection"

// selfProtection returns a guideline for the built-in rule, because every finding needs a guideline.
func selfProtection() *guideline.Guideline {
	return &guideline.Guideline{
		ID: SelfProtection, Name: "The guard's own files", Enabled: true, Category: guideline.Security, Priority: 1000,
		Action: guideline.Action{
			Type: guideline.ToolRestriction,
			Parameters: map[string]any{
				"instead":    "tell the user what should change in the setup of guardrails, and let the user change it.",
				"allow_once": false,
			},
		},
	}
}

// Tampers is a function that reports whether a call would change the guard.
func Tampers(call *effect.Analysis) bool {
	return slices.ContainsFunc(call.Effects, func(e effect.Effect) bool { return e.Has(effect.GuardTamper) })
}

// protect() denies each effect that would change the guard, unless a guideline already decides about the effect.
func (j *judge) protect() {
	for i := range j.call.Effects {
		e := &j.call.Effects[i]
		if !e.Has(effect.GuardTamper) {
			continue
		}
		hurry := j.steps > 2*MaxSteps
		if hurry || !j.decidesTampering(e) {
			j.append(Finding{Guideline: selfProtection(), Outcome: Deny, Effect: i, Event: effect.GuardTamper})
		}
		if hurry {
			return // the call is denied, and one reason is enough
		}
	}
}

func (j *judge) decidesTampering(e *effect.Effect) bool {
	for _, m := range j.matching(e, effect.GuardTamper) {
		if slices.Contains(m.Guideline.Condition.Events, string(effect.GuardTamper)) && isBinding(&m.Guideline.Action) {
			return true
		}
	}
	return false
}

// isBinding reports whether an action can stop a call. Other actions only advise.
func isBinding(a *guideline.Action) bool {
	return a.Type == guideline.ToolRestriction || a.Type == guideline.HITLGate && a.Threshold() != guideline.Advisory
}
