package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// conditionValues finds values that no context can have.
func (c *checker) conditionValues(s *subject) {
	for _, list := range []struct {
		field  string
		values []string
	}{
		{"agents", s.Condition.Agents},
		{"domains", s.Condition.Domains},
		{"actions", s.Condition.Actions},
		{"events", s.Condition.Events},
	} {
		c.words(s, list.field, list.values)
	}
	if len(s.Condition.GateTypes) > 0 {
		c.report(s, NeverMatches, Error, "condition.gate_types: nothing sends a gate's type, so the guideline never holds",
			"remove the field; the type of the gate belongs to action.gate_type, what calls for it to condition.events")
	}
	for _, key := range slices.Sorted(maps.Keys(s.Condition.Custom)) {
		if !canEqual(s.Condition.Custom[key]) {
			c.report(s, NeverMatches, Error, fmt.Sprintf("condition.custom: the value of %s equals no value of a context", document.Excerpt(key)),
				"write a text, a number, true or false, or a list of these")
		}
	}
}

// words finds wildcards and blanks in lists whose items are compared as they stand.
func (c *checker) words(s *subject, field string, values []string) {
	for i, v := range values {
		at := fmt.Sprintf("condition.%s[%d]", field, i)
		switch {
		case strings.TrimSpace(v) != v || v == "":
			c.report(s, NeverMatches, Error, fmt.Sprintf("%s: %s is empty or has spaces around it", at, document.Excerpt(v)), "write the name alone")
		case strings.Trim(v, "*") == "":
			c.report(s, NeverMatches, Error, fmt.Sprintf("%s: %s is compared as it stands and is no wildcard here", at, document.Excerpt(v)),
				"leave the field out; then every value will do")
		case strings.ContainsAny(v, "*?"):
			c.report(s, NeverMatches, Error, fmt.Sprintf("%s: %s is compared as it stands and is no wildcard here", at, document.Excerpt(v)),
				"list the names that are meant")
		}
	}
}

// canEqual reports whether a custom value, or an item of it, equals itself; objects and null equal nothing.
func canEqual(value any) bool {
	custom := map[string]any{"": value}
	return guideline.CustomMatches(custom, custom)
}
