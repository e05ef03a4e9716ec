package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// Excused is a finding that does not count because of an exception.
type Excused struct {
	// Guideline is the id of the guideline, and Name its name.
	Guideline, Name string
	// Reason is the text in the exception that says why it exists.
	Reason string
}

// excuse removes the findings that an exception covers, and adds them to Decision.Excused.
func (j *judge) excuse() {
	if len(j.layers[j.layer].Exceptions) == 0 {
		return
	}
	d := j.decision
	j.findings = slices.DeleteFunc(j.findings, func(f Finding) bool {
		x := j.exceptionFor(&f)
		if x == nil {
			return false
		}
		d.Excused = append(d.Excused, Excused{Guideline: f.Guideline.ID, Name: f.Guideline.Name, Reason: x.Reason})
		return true
	})
}

func (j *judge) exceptionFor(f *Finding) *Exception {
	if f.Guideline.ID == SelfProtection {
		return nil
	}
	exceptions := j.layers[j.layer].Exceptions
	for i := range exceptions {
		x := &exceptions[i]
		if names(x.Guideline, f.Guideline) && j.facts.Now.Before(x.Expires) && x.Covers(j.call, f.Effect) {
			return x
		}
	}
	return nil
}

// names reports whether an id is the guideline's id or one of its aliases.
func names(id string, g *guideline.Guideline) bool {
	return id == g.ID || slices.Contains(g.Aliases(), id)
}

// Covers reports whether the exception has no tools, or one of its tool patterns matches an effect of a call or the
// command that causes the effect. If i is -1, only an exception without tools covers the call.
func (x *Exception) Covers(call *effect.Analysis, i int) bool {
	if len(x.Tools) == 0 {
		return true
	}
	if i < 0 {
		return false
	}
	command := CommandOf(call, i)
	for _, text := range x.Tools {
		p, err := pattern.CompileTool(text)
		if err != nil {
			continue
		}
		if Covers(p, &call.Effects[i], call.Tool) || command != nil && p.Spec == pattern.CommandSpec && Covers(p, command, call.Tool) {
			return true
		}
	}
	return false
}
