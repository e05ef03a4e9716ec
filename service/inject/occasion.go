package inject

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// occasion describes when a guideline with an open condition applies: "committing contracts/*".
func occasion(m *evaluator.Match) string {
	c := &m.Guideline.Condition
	var events, paths string
	if m.Residual.Has(guideline.FieldEvent) {
		events = eventsInWords(c.Events)
	}
	if m.Residual.Has(guideline.FieldPaths) {
		paths = enumerated(c.Paths)
	}
	what := events
	switch {
	case paths != "" && events == "":
		what = "touching " + paths
	case paths != "" && takesPath(c.Events):
		what += " " + paths
	case paths != "":
		what += " on " + paths
	}
	return what + otherwise(c, m.Residual, what != "")
}

// moment returns the occasion with a conjunction: "when committing contracts/*".
func moment(m *evaluator.Match) string {
	if m.Residual.Has(guideline.FieldEvent) && !takesPath(m.Guideline.Condition.Events) {
		return "at " + occasion(m)
	}
	return "when " + occasion(m)
}

// otherwise describes which unknown agent, domain, action, gate type or metadata a condition requires. Hooks know these
// fields, but other callers may not.
func otherwise(c *guideline.Condition, open guideline.Fields, more bool) string {
	var parts []string
	for _, f := range []struct {
		bit    guideline.Fields
		name   string
		values []string
	}{
		{guideline.FieldAgent, "the agent is", c.Agents},
		{guideline.FieldDomain, "the domain is", c.Domains},
		{guideline.FieldAction, "the action is", c.Actions},
		{guideline.FieldGateType, "the gate is", c.GateTypes},
		{guideline.FieldMetadata, "the metadata fit", []string{""}},
	} {
		if open.Has(f.bit) {
			parts = append(parts, strings.TrimSpace(f.name+" "+alternatives(f.values)))
		}
	}
	text := strings.Join(parts, " and ")
	if more && text != "" {
		return " where " + text
	}
	return text
}

// takesPath reports whether each event is described by a verb that a path can follow, such as committing.
func takesPath(events []string) bool {
	return !slices.ContainsFunc(events, func(e string) bool { return verb(e) == "" })
}

func verb(event string) string {
	switch event {
	case "contract_change":
		return "writing"
	case "commit":
		return "committing"
	case "push":
		return "pushing"
	case "merge":
		return "merging"
	case "deploy":
		return "deploying"
	}
	return ""
}

func eventsInWords(events []string) string {
	words := make([]string, len(events))
	for i, event := range events {
		if words[i] = verb(event); words[i] == "" {
			words[i] = strings.ReplaceAll(event, "_", " ")
		}
	}
	return alternatives(words)
}

// alternatives joins words: a, b or c.
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func upperFirst(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
