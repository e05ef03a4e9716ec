package inject

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// facts returns lines about the gate and the tools of a guideline. The model has to know them in advance, because the
// client's dialog for writing a file does not say why the user is asked.
func (t *injection) facts(m *evaluator.Match, overruled bool) []string {
	var out []string
	if m.Guideline.Action.GateType != "" && !overruled {
		out = append(out, gateFact(m))
	}
	return append(out, t.toolFacts(m)...)
}

// overruled reports whether a guideline of higher priority decides the same gate on the same occasions.
func overruled(higher []evaluator.Match, m *evaluator.Match) bool {
	if m.Guideline.Action.GateType == "" {
		return false
	}
	return slices.ContainsFunc(higher, func(h evaluator.Match) bool {
		return h.Guideline.Priority > m.Guideline.Priority && h.Guideline.Action.GateType == m.Guideline.Action.GateType &&
			(h.Residual == 0 || occasion(&h) == occasion(m))
	})
}

func gateFact(m *evaluator.Match) string {
	what := occasion(m)
	if m.Residual == 0 {
		what = "every change"
	}
	if m.Guideline.Action.Threshold() == guideline.Advisory {
		return what + " is only noted: " + m.Guideline.ID
	}
	return what + " asks the user first: " + m.Guideline.ID
}

// toolFacts returns lines about tools that are denied and tools that are only partly allowed.
func (t *injection) toolFacts(m *evaluator.Match) []string {
	denied, everything := patterns(m.Denied)
	allowed := t.inForce(m)
	var out []string
	if everything {
		text := "only tools that a guideline allows are open to " + t.subject(m)
		if named, _ := patterns(allowed); len(named) > 0 {
			text += ", such as " + enumerated(named)
		}
		out = append(out, text+ending(m))
	} else if parts := narrowed(allowed); len(parts) > 0 {
		out = append(out, t.subject(m)+" may use "+strings.Join(parts, ", and ")+ending(m))
	}
	switch {
	case len(denied) == 0:
	case m.Residual == guideline.FieldEvent && bare(m.Denied):
		// If a guideline for an event denies whole tools, for example Bash, it is meant to stop the event
		// itself.
		out = append(out, occasion(m)+" is refused: "+m.Guideline.ID)
	default:
		out = append(out, t.deniedFact(m, denied))
	}
	return out
}

func (t *injection) deniedFact(m *evaluator.Match, denied []string) string {
	if len(m.Guideline.Condition.Agents) == 0 {
		return "no agent may use " + enumerated(denied) + ending(m)
	}
	return t.subject(m) + " may not use " + enumerated(denied) + ending(m)
}

// narrowed describes, for each tool with patterns, which calls are allowed. A tool name without a pattern restricts
// nothing.
func narrowed(allowed []*pattern.Tool) []string {
	var names []string
	parts := map[string][]string{}
	for _, p := range allowed {
		if p.Spec == pattern.NoSpec {
			continue
		}
		if parts[p.Name] == nil {
			names = append(names, p.Name)
		}
		parts[p.Name] = append(parts[p.Name], p.String())
	}
	for i, name := range names {
		names[i] = name + " only as " + enumerated(parts[name])
	}
	return names
}

// patterns returns tool patterns as they were written. everything is set if one of them is a plain "*".
func patterns(list []*pattern.Tool) (out []string, everything bool) {
	for _, p := range list {
		if p.Everything() {
			everything = true
		} else {
			out = append(out, p.String())
		}
	}
	return out, everything
}

func bare(list []*pattern.Tool) bool {
	return !slices.ContainsFunc(list, func(p *pattern.Tool) bool { return p.Spec != pattern.NoSpec })
}

// inForce returns the patterns of an allow list that no other guideline denies.
func (t *injection) inForce(m *evaluator.Match) []*pattern.Tool {
	if m.Residual != 0 {
		return m.Allowed
	}
	return slices.DeleteFunc(slices.Clone(m.Allowed),
		func(p *pattern.Tool) bool { return !slices.Contains(t.allowed, p.String()) })
}

// subject names the agents that a guideline is about.
func (t *injection) subject(m *evaluator.Match) string {
	agents := m.Guideline.Condition.Agents
	switch {
	case len(agents) == 0:
		return "every agent"
	case m.Matched.Has(guideline.FieldAgent):
		return "the " + brief(t.agent) + " agent"
	}
	return "each of the agents " + enumerated(agents)
}

// ending returns the end of a line: the occasion, if a part of the condition is still open, and the guideline's id.
func ending(m *evaluator.Match) string {
	when := ""
	if m.Residual != 0 {
		when = " " + moment(m)
	}
	return when + " (" + m.Guideline.ID + ")"
}

// enumerated lists as many texts as fit on a line.
func enumerated(list []string) string {
	const limit = 240
	length := 0
	for i, text := range list {
		if length += len(text) + len(", "); length > limit && i > 0 {
			return fmt.Sprintf("%s and %d more", strings.Join(list[:i], ", "), len(list)-i)
		}
	}
	return strings.Join(list, ", ")
}
