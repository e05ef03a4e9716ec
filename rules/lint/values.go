package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// checkValues reports values that no context can have.
func (c *checker) checkValues(s *subject) {
	for _, list := range []struct {
		field  string
		values []string
	}{
		{"agents", s.Condition.Agents},
		{"domains", s.Condition.Domains},
		{"actions", s.Condition.Actions},
		{"events", s.Condition.Events},
	} {
		c.checkWords(s, list.field, list.values)
	}
	if len(s.Condition.GateTypes) > 0 {
		c.report(s, "condition.gate_types", NeverMatches, Error,
			"no tool call has a gate type, so the guideline applies to no tool call",
			"remove the field; write the gate's type in action.gate_type, and what triggers it in condition.events")
	}
	for _, key := range slices.Sorted(maps.Keys(s.Condition.Custom)) {
		value := s.Condition.Custom[key]
		if hint := guideline.FactHint(key, value); guideline.IsFact(key) && hint != "" {
			c.report(s, "condition.custom", NeverMatches, Error,
				document.Excerpt(guideline.Show(value))+" is not a value that "+key+" can have", hint)
		} else if !canEqual(s.Condition.Custom[key]) {
			c.report(s, "condition.custom", NeverMatches, Error,
				fmt.Sprintf("the value of %s cannot match any context", document.Excerpt(key)),
				"write a string, a number, true or false, or a list of these")
		}
	}
}

// checkWords reports wildcards and spaces in lists whose items are compared for equality.
func (c *checker) checkWords(s *subject, field string, values []string) {
	for i, v := range values {
		at := fmt.Sprintf("condition.%s[%d]", field, i)
		switch {
		case strings.TrimSpace(v) != v || v == "":
			c.report(s, at, NeverMatches, Error, document.Excerpt(v)+" is empty or has spaces around it", "write the name alone")
		case strings.Trim(v, "*") == "":
			c.report(s, at, NeverMatches, Error, document.Excerpt(v)+" is compared literally, because * is not a wildcard here",
				"remove the field to match every value")
		case strings.ContainsAny(v, "*?"):
			c.report(s, at, NeverMatches, Error,
				document.Excerpt(v)+" is compared literally, because * and ? are not wildcards here",
				"list the names that you mean")
		}
	}
}

// canEqual reports whether some metadata can be equal to a custom value, or to an item of this value. Objects and null
// are equal to nothing.
func canEqual(value any) bool {
	custom := map[string]any{"": value}
	return guideline.CustomMatches(custom, custom)
}
