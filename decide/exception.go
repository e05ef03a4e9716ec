package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// Excused is a finding that does not count because of an exception.
type Excused struct {
	// Guideline is the id of the guideline that has the finding. Name is the name of this guideline.
	Guideline, Name string
	// Reason is the text in the exception that says why it exists.
	Reason string
}

// excuse() removes the findings that an exception covers, and adds them to Decision.Excused.
func (j *judge) excuse() {
	if len(j.layers[j.layer].Exceptions) == 0 {
		return
	}
	d := j.decision
	list := j.excuses()
	j.findings = slices.DeleteFunc(j.findings, func(f Finding) bool {
		for _, x := range list {
			if isIDOf(x.Guideline, f.Guideline) && x.covers(j.call, f.Effect, j.commandOf(f.Effect)) {
				excused := Excused{Guideline: f.Guideline.ID, Name: f.Guideline.Name, Reason: x.Reason}
				d.Excused = addOnce(d.Excused, excused)
				return true
			}
		}
		return false
	})
}

// The type "excuse" is an exception with its compiled patterns.
type excuse struct {
	*Exception
	tools []*pattern.Tool
}

// excuses() returns the exceptions of the layer that have not expired and are not about the built-in rule.
func (j *judge) excuses() []*excuse {
	var out []*excuse
	exceptions := j.layers[j.layer].Exceptions
	for i := range exceptions {
		if x := &exceptions[i]; j.facts.Now.Before(x.Expires) && x.Guideline != SelfProtection {
			out = append(out, x.compiled())
		}
	}
	return out
}

func (x *Exception) compiled() *excuse {
	out := &excuse{Exception: x}
	for _, text := range x.Tools {
		if p, err := pattern.CompileTool(text); err == nil {
			out.tools = append(out.tools, p)
		}
	}
	return out
}

// isIDOf reports whether an id is the guideline's id or one of its aliases.
func isIDOf(id string, g *guideline.Guideline) bool {
	return id == g.ID || slices.Contains(g.Aliases(), id)
}

// Covers reports whether an exception covers an effect of a call. An exception without tools covers everything. An
// exception with tools covers an effect if one of its tool patterns matches the effect or the command that causes the
// effect. If i is -1, only an exception without tools covers the call.
func (x *Exception) Covers(call *effect.Analysis, i int) bool {
	return x.compiled().covers(call, i, CommandOf(call, i))
}

func (x *excuse) covers(call *effect.Analysis, i int, command *effect.Effect) bool {
	if len(x.Tools) == 0 {
		return true
	}
	if i < 0 {
		return false
	}
	for _, p := range x.tools {
		if Covers(p, &call.Effects[i], call.Tool) || command != nil && p.Spec == pattern.CommandSpec && Covers(p, command, call.Tool) {
			return true
		}
	}
	return false
}
