package hooks

import (
	"slices"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
)

// The agent that is guarded must not change what guards it. That holds with any guidelines and with none; a guideline
// that names the event guard_tamper, holds for the effect, and is one to decide such a thing (a tool restriction, or a gate
// that must be passed) decides in its place.

// selfProtection stands in findings for the rule that is built in.
func selfProtection() *guideline.Guideline {
	return &guideline.Guideline{
		ID: "self-protection", Name: "The guard's own files", Enabled: true, Category: guideline.Security, Priority: 1000,
		Action: guideline.Action{
			Type: guideline.ToolRestriction,
			Parameters: map[string]any{
				"instead":    "say what should be changed in the guard's set-up and let the user change it.",
				"allow_once": false,
			},
		},
	}
}

// tampers reports whether a call would change the guard.
func tampers(call *toolcall.Analysis) bool {
	return slices.ContainsFunc(call.Effects, func(e toolcall.Effect) bool { return e.Has(toolcall.GuardTamper) })
}

// protect adds a refusal for each effect that would change the guard and that no guideline speaks of.
func (j *judging) protect(d *decide.Decision) {
	for i := range j.call.Effects {
		e := &j.call.Effects[i]
		if e.Has(toolcall.GuardTamper) && !j.names(e, toolcall.GuardTamper) {
			d.Findings = append(d.Findings, builtIn(i))
		}
	}
}

func builtIn(effect int) decide.Finding {
	return decide.Finding{Guideline: selfProtection(), Outcome: decide.Deny, Effect: effect, Event: toolcall.GuardTamper}
}

// names reports whether a guideline that holds for an effect names an event and decides what becomes of it.
func (j *judging) names(e *toolcall.Effect, event toolcall.Event) bool {
	for _, m := range j.matches(e, event) {
		if slices.Contains(m.Guideline.Condition.Events, string(event)) && rules(&m.Guideline.Action) {
			return true
		}
	}
	return false
}

// rules reports whether an action says what may happen, and is not only a note beside it.
func rules(a *guideline.Action) bool {
	return a.Type == guideline.ToolRestriction || a.Type == guideline.HITLGate && a.Threshold() != guideline.Advisory
}

// openCall lets a call of an unguarded session pass: its user chose so. It is counted, and the guard itself stays
// protected.
func (w *World) openCall(e *wire.Event, call *toolcall.Analysis, c *cache.Cache) wire.Outcome {
	if tampers(call) {
		j := &judging{w: w, e: e, call: call, cache: c}
		return j.denied(tampering(call))
	}
	w.countGap(e, "the guidelines cannot be reached and the session's user chose to go on without: "+c.Reason)
	return wire.Outcome{}
}

// tampering is the decision on a call that would change the guard, where no guidelines are at hand.
func tampering(call *toolcall.Analysis) *decide.Decision {
	return decide.Judge(nothing(), guideline.Context{}, call, func(d *decide.Decision) {
		for i := range call.Effects {
			if call.Effects[i].Has(toolcall.GuardTamper) {
				d.Findings = append(d.Findings, builtIn(i))
			}
		}
	})
}
