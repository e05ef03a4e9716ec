package inject

import (
	"slices"
	"strings"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// addFacts adds lines that say which calls a guideline denies, and which calls need the user's approval. The model must
// know the reason before it writes a file, because the client's dialog for writing a file does not show why the user is
// asked.
func (t *injection) addFacts(m *evaluator.Match, overruled bool) {
	a := &m.Guideline.Action
	if a.GateType != "" && a.Threshold() != guideline.Advisory && !overruled {
		t.addFact(m, asked, askedFor(m))
	}
	denied, everything := somePatterns(m.Denied)
	allowed := t.inForce(m)
	switch {
	case everything && len(allowed) == 0 && m.Residual.Has(guideline.FieldEvent):
		t.addFact(m, refused, occasion(m)+t.forWhom(m))
	case everything:
		t.addFact(m, refused, otherTools(allowed)+occasionally(m)+t.forWhom(m))
	default:
		for _, limits := range narrowed(allowed) {
			t.addFact(m, rule, upperFirst(t.subject(m))+" "+limits+occasionally(m)+".")
		}
	}
	switch {
	case len(denied) == 0:
	case m.Residual.Has(guideline.FieldEvent) && bare(denied):
		// A guideline for an event can deny whole tools, such as Bash. Such a guideline is meant to stop the event itself.
		t.addFact(m, refused, occasion(m)+t.forWhom(m))
	default:
		t.addFact(m, refused, inWords(denied)+occasionally(m)+t.forWhom(m))
	}
}

// addFact adds a line that says what is not allowed, or what the user is asked about, and what to do instead. In the
// list for the task, the heading does not say whether calls are denied or the user is asked. A line in this list
// therefore begins with "Not allowed" or "The user is asked first".
func (t *injection) addFact(m *evaluator.Match, p part, text string) {
	in := t.partOf(m, p)
	if in != p {
		switch p {
		case refused:
			text = "Not allowed: " + text
		case asked:
			text = "The user is asked first: " + text
		}
	}
	if p != rule {
		text += t.instead(m)
	}
	t.add(m.Guideline.ID, in, text)
}

// instead() returns a text such as ": use the script", which says what the model should do instead. The text comes from
// the guideline's parameter named "instead". Without this parameter, the text is the guideline's instruction, unless
// the model gets the instruction elsewhere: in a line of its own or from the client.
func (t *injection) instead(m *evaluator.Match) string {
	text, _ := m.Guideline.Action.Parameters["instead"].(string)
	if text == "" && m.Residual != 0 && !t.silent[m.Guideline.ID] {
		text = m.Guideline.Action.Instruction
	}
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return ": " + text
}

// overruled() reports whether a guideline of higher priority already decides the same gate for the same calls.
func overruled(higher []evaluator.Match, m *evaluator.Match) bool {
	if m.Guideline.Action.GateType == "" || len(m.Asked) > 0 {
		return false
	}
	return slices.ContainsFunc(higher, func(h evaluator.Match) bool {
		return h.Guideline.Priority > m.Guideline.Priority && h.Guideline.Action.GateType == m.Guideline.Action.GateType &&
			len(h.Asked) == 0 && (h.Residual == 0 || occasion(&h) == occasion(m))
	})
}

// askedFor says what the user is asked about, for example "every change".
func askedFor(m *evaluator.Match) string {
	switch {
	case len(m.Asked) > 0:
		return inWords(m.Asked) + occasionally(m)
	case m.Residual == 0:
		return "every change"
	}
	return occasion(m)
}

// otherTools returns a text that means every tool that is not on an allow list.
func otherTools(allowed []*pattern.Tool) string {
	named, _ := somePatterns(allowed)
	if len(named) == 0 {
		return "every tool that no guideline allows"
	}
	var names []string
	for _, p := range named {
		names = append(names, p.String())
	}
	return "every tool that no guideline allows (the guidelines allow, for example, " + enumerated(names) + ")"
}

// narrowed() returns a text such as "may write only src/*" for each tool that an allow list limits to patterns. A tool
// name without a pattern allows all calls of the tool, so it gets no text.
func narrowed(allowed []*pattern.Tool) []string {
	var names, out []string
	specs := map[string][]string{}
	for _, p := range allowed {
		if p.Spec == pattern.NoSpec {
			continue
		}
		if specs[p.Name] == nil {
			names = append(names, p.Name)
		}
		specs[p.Name] = append(specs[p.Name], spec(p))
	}
	for _, name := range names {
		does := "use " + name + " only as"
		switch pattern.FamilyOf(name) {
		case pattern.WriteFamily:
			does = "write only"
		case pattern.ReadFamily:
			does = "read only"
		case pattern.CommandFamily:
			does = "run only"
		}
		out = append(out, "may "+does+" "+strings.Join(specs[name], ", "))
	}
	return out
}

// somePatterns returns all patterns except "*". The result "everything" is true if the list contains "*".
func somePatterns(list []*pattern.Tool) (out []*pattern.Tool, everything bool) {
	for _, p := range list {
		if p.Everything() {
			everything = true
		} else {
			out = append(out, p)
		}
	}
	return out, everything
}

func bare(list []*pattern.Tool) bool {
	return !slices.ContainsFunc(list, func(p *pattern.Tool) bool { return p.Spec != pattern.NoSpec })
}

// inForce returns the patterns on a guideline's allow list that no other guideline denies.
func (t *injection) inForce(m *evaluator.Match) []*pattern.Tool {
	if m.Residual != 0 {
		return m.Allowed
	}
	return slices.DeleteFunc(slices.Clone(m.Allowed),
		func(p *pattern.Tool) bool { return !slices.Contains(t.allowed, p.String()) })
}

func (t *injection) subject(m *evaluator.Match) string {
	agents := m.Guideline.Condition.Agents
	switch {
	case len(agents) == 0:
		return "every agent"
	case m.Matched.Has(guideline.FieldAgent):
		return "the " + brief(t.query.Agent) + " agent"
	}
	return "each of the agents " + enumerated(agents)
}

// forWhom returns the names of the agents to which a guideline applies, in parentheses. It returns "" if the guideline
// applies to all agents.
func (t *injection) forWhom(m *evaluator.Match) string {
	if len(m.Guideline.Condition.Agents) == 0 {
		return ""
	}
	return " (for " + t.subject(m) + ")"
}

// occasionally() returns a text that says when a guideline applies, for example " when committing". It returns "" if
// the guideline applies to every call.
func occasionally(m *evaluator.Match) string {
	if m.Residual == 0 {
		return ""
	}
	return " " + moment(m)
}
