package explain

import (
	"encoding/json"
	"fmt"
	"strings"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// Field describes what a field of a condition requires, and which value the task has.
func Field(f *evaluator.ExplainedField) string {
	wanted := Flat(strings.Join(f.Wanted, " or "))
	switch f.Outcome {
	case evaluator.Matched:
		return fmt.Sprintf("%s: %s is matched by %s", f.Field, got(f.Got), Flat(f.Hit))
	case evaluator.NotMatched:
		return fmt.Sprintf("%s: %s, but the guideline requires %s", f.Field, got(f.Got), wanted)
	case evaluator.Unknown:
		return fmt.Sprintf("%s: unknown; the guideline requires %s", f.Field, wanted)
	default:
		return fmt.Sprintf("%s: not given; the guideline requires %s", f.Field, wanted)
	}
}

func got(value any) string {
	if list, ok := value.([]string); ok {
		return Flat(strings.Join(list, ", "))
	}
	if s, ok := value.(string); ok {
		return Flat(s)
	}
	return Compact(value)
}

// Compact encodes a value as JSON on one line.
func Compact(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return Flat(fmt.Sprint(value))
	}
	return Flat(string(encoded))
}

// Context describes a context whose fields may be unknown.
func Context(c *guideline.Context, unknown guideline.Fields) string {
	var parts []string
	add := func(field guideline.Fields, name, value string) {
		switch {
		case unknown.Has(field):
			parts = append(parts, "unknown "+name)
		case value != "":
			parts = append(parts, name+" "+Flat(value))
		}
	}
	add(guideline.FieldAgent, "agent", c.Agent)
	add(guideline.FieldDomain, "domain", c.Domain)
	add(guideline.FieldAction, "action", c.Action)
	add(guideline.FieldPaths, "paths", strings.Join(c.Paths, " "))
	add(guideline.FieldEvent, "event", c.Event)
	add(guideline.FieldGateType, "gate type", c.GateType)
	add(0, "tenant", c.TenantID)
	if len(parts) == 0 {
		return "an empty context"
	}
	return strings.Join(parts, ", ")
}

// Constraints returns one text for each limit in the result of an evaluation.
func Constraints(c *evaluator.Constraints) []string {
	var out []string
	if c.MaxFiles != nil {
		out = append(out, fmt.Sprintf("max_files %d", *c.MaxFiles))
	}
	if c.RequireTests != nil {
		out = append(out, fmt.Sprintf("require_tests %t", *c.RequireTests))
	}
	if c.RequireReview != nil {
		out = append(out, fmt.Sprintf("require_review %t", *c.RequireReview))
	}
	return out
}
