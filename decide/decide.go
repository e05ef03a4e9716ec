// Package decide judges a tool call: allow, warn, ask or deny, with the guideline that decides, what was seen, and what
// the agent may do instead.
//
// Start with Judge. It is pure: the guidelines come from evaluator, the effects of the call from detect/toolcall, and
// everything else that matters (the session, the files on disk, exceptions) is stated in Facts.
package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
)

// Outcome is what happens to a tool call.
type Outcome string

// The outcomes, from the mildest to the strictest.
const (
	Allow Outcome = "allow"
	Warn  Outcome = "warn"
	Ask   Outcome = "ask"
	Deny  Outcome = "deny"
)

func (o Outcome) rank() int {
	switch o {
	case Deny:
		return 3
	case Ask:
		return 2
	case Warn:
		return 1
	}
	return 0
}

// Finding is one guideline's objection to one effect.
type Finding struct {
	Guideline *guideline.Guideline
	Outcome   Outcome
	// Effect is the index of the effect in the analysis; -1 when it has none.
	Effect int
	// Pattern is the tool pattern that denies, when one does.
	Pattern string
	// Allowed are the patterns of the allow list that the effect is not on.
	Allowed []string
	// Event is the event that the guideline names, if it does.
	Event effect.Event
	// Seen says what was seen where that is more than the effect itself: what a session did before.
	Seen string
}

// Decision is the judgement of a tool call.
type Decision struct {
	Outcome Outcome
	// Findings are all objections, the deciding one first.
	Findings []Finding
	// Advice are guidelines with an instruction for just this call: they name its event or path.
	Advice []*guideline.Guideline
	// Reason is the sentence for the agent and the user; empty when nothing objects.
	Reason string
	// Instead says what the agent may do instead. It is also in Reason.
	Instead string
	// Excused are findings that an exception removed. The caller records them.
	Excused []Excused
}

// Guideline is the id of the deciding guideline, or empty.
func (d *Decision) Guideline() string {
	if len(d.Findings) == 0 {
		return ""
	}
	return d.Findings[0].Guideline.ID
}

// Judge decides about a tool call that an agent makes in a context. Of the context, its paths and event are ignored:
// every effect of the call has its own.
func Judge(set *evaluator.Set, context guideline.Context, call *effect.Analysis, facts Facts) *Decision {
	j := &judge{set: set, call: call, facts: facts, decision: &Decision{Outcome: Allow}}
	j.query.Context = context
	for i := range call.Effects {
		j.effect(i, &call.Effects[i])
	}
	if len(call.Effects) == 0 {
		j.effect(-1, j.effectOf(&Finding{Effect: -1}))
	}
	j.narrow()
	j.protect()
	j.limits()
	j.excuse()
	j.conclude()
	return j.decision
}

type judge struct {
	set      *evaluator.Set
	call     *effect.Analysis
	facts    Facts
	query    evaluator.Query
	matches  []evaluator.Match
	held     []held
	spare    []held // the room for the next list of those held
	decision *Decision

	session      *Session
	sessionError error
}

// matching returns the guidelines that apply to an effect with an event, or without one.
func (j *judge) matching(e *effect.Effect, event effect.Event) []evaluator.Match {
	j.query.Places, j.query.Event = e.Places(), string(event)
	j.matches = j.set.Match(&j.query, j.matches[:0])
	return j.matches
}

// held is a guideline that holds for the effect being judged, with the event that it names.
type held struct {
	evaluator.Match
	event effect.Event
}

// effectOf is the effect that a finding is about; a call without any is judged as the use of its tool.
func (j *judge) effectOf(f *Finding) *effect.Effect {
	if f.Effect < 0 {
		return &effect.Effect{Kind: effect.Use}
	}
	return &j.call.Effects[f.Effect]
}

func (j *judge) effect(i int, e *effect.Effect) {
	j.hold(e)
	j.lists(i, e)
	j.denials(i, e)
	j.gates(i, e)
}

// hold finds the guidelines that hold for what an effect is or for an event that it means, highest priority first.
func (j *judge) hold(e *effect.Effect) {
	j.query.Places = e.Places()
	j.held = j.held[:0]
	j.collect("")
	for _, event := range e.Events {
		j.collect(event)
	}
}

// collect adds the guidelines that hold with an event; those that name none are collected without one. Both lists have
// the highest priority first, and so has what they become together.
func (j *judge) collect(event effect.Event) {
	j.query.Event = string(event)
	j.matches = j.set.Match(&j.query, j.matches[:0])
	before, after := j.held, j.spare[:0]
	for i := range j.matches {
		m := &j.matches[i]
		if event != "" && (!m.Matched.Has(guideline.FieldEvent) || j.holds(m.Guideline)) {
			continue
		}
		for len(before) > 0 && before[0].Guideline.Priority >= m.Guideline.Priority {
			after, before = append(after, before[0]), before[1:]
		}
		after = append(after, held{Match: *m, event: event})
	}
	after = append(after, before...)
	j.held, j.spare = after, j.held
}

func (j *judge) holds(g *guideline.Guideline) bool {
	return slices.ContainsFunc(j.held, func(h held) bool { return h.Guideline == g })
}

func (j *judge) add(f Finding) {
	for n := len(j.decision.Findings) - 1; n >= 0 && j.decision.Findings[n].Effect == f.Effect; n-- {
		if have := &j.decision.Findings[n]; have.Guideline == f.Guideline && have.Outcome == f.Outcome {
			return
		}
	}
	j.decision.Findings = append(j.decision.Findings, f)
}

// named reports whether a match rests on the effect itself and not only on who is at work.
func named(m *held) bool {
	return m.Matched.Has(guideline.FieldPaths | guideline.FieldEvent)
}
