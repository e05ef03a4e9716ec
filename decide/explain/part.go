package explain

import (
	"strings"

	"guardrails/decide"
	"guardrails/evaluator"
	"guardrails/guideline"
)

// parts() describes for each guideline what it contributes to the decision.
func (j *judgement) parts() []Part {
	out := []Part{}
	for i := range j.layers {
		layer := &j.layers[i]
		query := evaluator.Query{Context: layer.Context, Unknown: guideline.FieldPaths | guideline.FieldEvent}
		held := j.applyingIDs(layer)
		for _, e := range layer.Set.Explain(&query).Guidelines {
			part := Part{ID: e.ID}
			part.Outcome, part.Why = j.part(&e, held)
			out = append(out, part)
		}
	}
	return out
}

func (j *judgement) part(e *evaluator.Explained, held map[string]bool) (outcome, why string) {
	for i := range j.decision.Findings {
		// The strictest finding of each guideline comes first, because the findings are sorted.
		if f := &j.decision.Findings[i]; f.Guideline.ID == e.ID {
			return string(f.Outcome), j.objection(f)
		}
	}
	for _, x := range j.decision.Excused {
		if x.Guideline == e.ID {
			return "excepted", "an exception covers the call: " + x.Reason
		}
	}
	for _, g := range j.decision.Advice {
		if g.ID == e.ID {
			return "advice", "its instruction is for a call like this"
		}
	}
	switch {
	case e.Outcome == evaluator.Disabled:
		return "disabled", "it is switched off"
	case e.Outcome == evaluator.OtherTenant:
		return OtherTenant, "it belongs to another tenant"
	case held[e.ID]:
		return "holds", "it applies here and does not object to the call"
	}
	return "not_matched", missing(e)
}

// objection() says to which part of the call a guideline objects, and why.
func (j *judgement) objection(f *decide.Finding) string {
	var why string
	switch {
	case f.Seen != "":
		return f.Seen
	case f.Pattern != "":
		why = "it denies " + f.Pattern
	case f.Allowed != nil:
		why = "its allow list does not contain this effect"
	case f.Event != "":
		why = "it applies to calls that cause the event " + string(f.Event)
	case len(f.Guideline.Action.ToolsAsked) > 0:
		why = "it asks about " + strings.Join(f.Guideline.Action.ToolsAsked, " or ")
	case len(f.Guideline.Condition.Paths) > 0:
		why = "it applies to the paths " + strings.Join(f.Guideline.Condition.Paths, " or ")
	default:
		why = "it applies only to calls that change something"
	}
	if f.Effect >= 0 {
		if seen := j.call.Effects[f.Effect].Span.Text; seen != "" {
			why += ", seen in: " + Flat(seen)
		}
	}
	return why
}

// missing() lists the fields of a condition that match neither the call nor its context.
func missing(e *evaluator.Explained) string {
	var out []string
	for i := range e.Fields {
		f := &e.Fields[i]
		wanted := Flat(strings.Join(f.Wanted, " or "))
		switch {
		case f.Outcome == evaluator.Matched:
		case f.Outcome == evaluator.Unknown && e.Outcome == evaluator.Residual:
			out = append(out, "nothing in the call matches the "+f.Field+" "+wanted)
		case f.Outcome != evaluator.Unknown:
			out = append(out, Field(f))
		}
	}
	return strings.Join(out, "; ")
}

// applyingIDs returns the ids of the guidelines in a layer that apply to an effect of the call or to one of its
// events.
func (j *judgement) applyingIDs(layer *decide.Layer) map[string]bool {
	out := map[string]bool{}
	var matches []evaluator.Match
	for _, query := range decide.Questions(layer.Context, j.call) {
		matches = layer.Set.Match(&query, matches[:0])
		for _, m := range matches {
			out[m.Guideline.ID] = true
		}
	}
	return out
}
