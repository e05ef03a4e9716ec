// Package decide judges a tool call: allow, warn, ask or deny. A decision names the guideline that decides, says what
// was found in the call, and says what the agent may do instead.
//
// Start with Judge. It has no side effects. The guidelines come from package evaluator and the effects of the call from
// detect/toolcall. Facts contains everything else: the session, the files on disk, and the time.
package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
)

// Outcome is the decision about a tool call.
type Outcome string

// The outcomes, from the least strict to the strictest.
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

// Finding is the objection of one guideline to one effect of a call. An effect is one thing that the call would do,
// such as writing a file.
type Finding struct {
	Guideline *guideline.Guideline
	Outcome   Outcome
	// Effect is the index of the effect in the analysis. It is -1 if the objection is to the call as a whole.
	Effect int
	// Pattern is the tool pattern that denies the effect. It is empty if no pattern denies it.
	Pattern string
	// Allowed is set if allow lists restrict effects of this kind, but none of these lists contains the effect. In this
	// case, Allowed has the patterns of the lists.
	Allowed []string
	// Event is the event from the guideline's condition that caused the objection. It is empty if there is none.
	Event effect.Event
	// Seen describes what is wrong with the call, if the effect alone does not show it.
	Seen string

	layer int
	// The field "rest" is set if the objection is to the effects that were not judged one by one.
	rest *effect.Effect
}

// Decision is the decision about a tool call, with its reasons.
type Decision struct {
	Outcome Outcome
	// Findings are all objections. The first one decides.
	Findings []Finding
	// Advice lists guidelines whose instruction is meant for this call: the condition names an event or a path of the
	// call, or the tool patterns match the call.
	Advice []*guideline.Guideline
	// Reason is a sentence for the agent, or a question for a person. It is empty if no guideline objects.
	Reason string
	// Instead says what the agent may do instead. If Reason is a sentence for the agent, Reason includes this text.
	Instead string
	// The field Agreed lists the guidelines that would ask a person if the person had not already said yes. The caller
	// records these guidelines.
	Agreed []string
	// The field Remember lists the guidelines that ask a person, and how long a yes to each is valid. It omits guidelines
	// for which a yes is valid only for this call.
	Remember []Yes
	// The field Excused lists the findings that do not count because of an exception. The caller records them.
	Excused []Excused
	// Telemetry is the telemetry guideline that applies to the call, or nil. If several guidelines apply, it is a
	// guideline of the strictest layer. Within this layer, it is a guideline for the earliest effect. Of the guidelines
	// for that effect, it is the one with the highest priority.
	Telemetry *guideline.Guideline
}

// Guideline returns the id of the guideline that decides, or "" if none objects.
func (d *Decision) Guideline() string {
	if len(d.Findings) == 0 {
		return ""
	}
	return d.Findings[0].Guideline.ID
}

// GuidelineName returns the name of the guideline that decides, or "".
func (d *Decision) GuidelineName() string {
	if len(d.Findings) == 0 {
		return ""
	}
	return d.Findings[0].Guideline.Name
}

// Judge decides about a tool call. The first layer is the strictest. Every layer judges the call by its own
// guidelines, and the strictest finding of all layers decides. So a layer can make the decision stricter, but not
// less strict.
func Judge(layers []Layer, call *effect.Analysis, facts Facts) *Decision {
	layers = facts.In(layers)
	j := &judge{
		layers: layers, call: call, facts: facts, decision: &Decision{Outcome: Allow}, changes: NewChanges(call, facts.List),
	}
	for i := range layers {
		j.judgeBy(i)
	}
	j.recall()
	j.conclude()
	return j.decision
}

func (j *judge) judgeBy(layer int) {
	j.use(layer)
	j.effects()
	j.narrow()
	if layer == 0 {
		j.protect()
	}
	j.limits()
	j.excuse()
	j.decision.Findings = append(j.decision.Findings, j.findings...)
}

// effects() judges the effects of the call. If this takes too many steps, the remaining effects are judged as one
// effect.
func (j *judge) effects() {
	call := j.call
	most := (j.layer + 1) * (MaxSteps / len(j.layers))
	for i := range call.Effects {
		if j.steps > most {
			j.rest = restOf(call, i)
			j.effect(-1, j.rest)
			return
		}
		j.effect(i, &call.Effects[i])
	}
	if len(call.Effects) == 0 {
		j.effect(-1, j.effectOf(&Finding{Effect: -1}))
	}
}

func (j *judge) use(layer int) {
	j.layer, j.findings, j.rest = layer, nil, nil
	j.set, j.query.Context = j.layers[layer].Set, j.layers[layer].Context
	j.fileEvents = j.set.NamesEvent(string(effect.FileRead), string(effect.FileWrite), string(effect.FileDelete))
}

type judge struct {
	layers     []Layer
	call       *effect.Analysis
	facts      Facts
	query      evaluator.Query
	matches    []evaluator.Match
	candidates []candidate
	spare      []candidate // reused memory for the next list of candidates
	decision   *Decision

	// The field "layer" is the index of the current layer. The field "set" contains the guidelines of this layer, and the
	// field "findings" contains the findings of this layer so far.
	layer    int
	set      *evaluator.Set
	findings []Finding
	// fileEvents is set if a guideline of the layer names a file event, such as file_write.
	fileEvents bool

	// The field "steps" counts the work so far. The field "rest" stands for the effects that the current layer
	// does not judge one by one.
	steps int
	rest  *effect.Effect

	// The field "changes" has the files that the call changes. The field "before" describes what the call does
	// before the current commit.
	changes *Changes
	before  before
	// The field "runs" contains the index of the last command before each effect, or -1.
	runs []int
	// maker is the index of the first effect that may create files, or -1. The pointer is nil until the index is
	// needed.
	maker        *int
	session      *soFar
	sessionError error
}

// matching() returns the guidelines that apply to an effect and an event. The event may be empty.
func (j *judge) matching(e *effect.Effect, event effect.Event) []evaluator.Match {
	j.query.Places, j.query.Event = e.Places(), string(event)
	j.matches = j.match()
	return j.matches
}

// match() finds the guidelines for the current query, and counts the steps for it.
func (j *judge) match() []evaluator.Match {
	before := j.query.Looked
	matches := j.set.Match(&j.query, j.matches[:0])
	j.steps += (stepsOfQuery + j.query.Looked - before) * (1 + len(j.query.Places))
	return matches
}

// candidate is a guideline that applies to the current effect. If its condition names an event of the effect, the field
// "event" holds this event.
type candidate struct {
	evaluator.Match
	event effect.Event
}

// effectOf returns the effect to which a guideline objects. If the objection is to the call as a whole, it returns an
// effect that stands for the use of the tool.
func (j *judge) effectOf(f *Finding) *effect.Effect {
	if f.Effect < 0 && f.rest != nil {
		return f.rest
	}
	if f.Effect < 0 {
		return &effect.Effect{Kind: effect.Use}
	}
	return &j.call.Effects[f.Effect]
}

func (j *judge) effect(i int, e *effect.Effect) {
	j.findCandidates(e)
	j.steps += j.stepsOf(e)
	j.findTelemetry()
	j.checkAllowLists(i, e)
	j.checkDenials(i, e)
	j.checkGates(i, e)
	j.checkDelegation(i, e)
}

// findCandidates finds the guidelines that apply to an effect. The condition of each of these guidelines names one of
// the effect's events, or no event at all. The guideline with the highest priority comes first.
func (j *judge) findCandidates(e *effect.Effect) {
	j.query.Places = e.Places()
	j.candidates = j.candidates[:0]
	j.collect("")
	for _, event := range e.Events {
		j.collect(event)
	}
	if event := e.FileEvent(); j.fileEvents && event != "" {
		j.collect(event)
	}
}

// collect() adds to the candidates the guidelines that apply to the current effect and the given event. If the event is
// not empty, it adds only guidelines whose condition names the event, because all other guidelines are already
// candidates. The candidates stay sorted by priority.
func (j *judge) collect(event effect.Event) {
	j.query.Event = string(event)
	j.matches = j.match()
	before, after := j.candidates, j.spare[:0]
	for i := range j.matches {
		m := &j.matches[i]
		if event != "" && (!m.Matched.Has(guideline.FieldEvent) || j.isCandidate(m.Guideline)) {
			continue
		}
		for len(before) > 0 && before[0].Guideline.Priority >= m.Guideline.Priority {
			after, before = append(after, before[0]), before[1:]
		}
		after = append(after, candidate{Match: *m, event: event})
	}
	after = append(after, before...)
	j.candidates, j.spare = after, j.candidates
}

func (j *judge) isCandidate(g *guideline.Guideline) bool {
	j.steps += len(j.candidates)
	return slices.ContainsFunc(j.candidates, func(c candidate) bool { return c.Guideline == g })
}

// add() adds a finding to j.findings, unless the guideline already has a finding with the same outcome about the same
// effect.
func (j *judge) add(f Finding) {
	for n := len(j.findings) - 1; n >= 0 && j.findings[n].Effect == f.Effect; n-- {
		j.steps++
		if have := &j.findings[n]; have.Guideline == f.Guideline && have.Outcome == f.Outcome {
			return
		}
	}
	j.append(f)
}

func (j *judge) append(f Finding) {
	f.layer = j.layer
	if f.Effect < 0 {
		f.rest = j.rest
	}
	j.findings = append(j.findings, f)
}

// matchesCall reports whether a condition names paths or events. Such a condition depends on the call, and not only
// on the agent and the task.
func matchesCall(m *candidate) bool {
	return m.Matched.Has(guideline.FieldPaths | guideline.FieldEvent)
}
