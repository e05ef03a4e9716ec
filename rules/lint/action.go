package lint

import (
	"fmt"
	"slices"

	"guardrails/guideline"
)

// part is one kind of thing that an action's fields say.
type part struct {
	isSet  bool
	fields string
	// of is the action type that the fields belong to.
	of guideline.ActionType
}

func parts(a *guideline.Action) []part {
	return []part{
		{len(a.ToolsAllowed)+len(a.ToolsDenied) > 0, "tools_allowed and tools_denied", guideline.ToolRestriction},
		{a.GateType != "", "gate_type", guideline.HITLGate},
		{a.MaxFiles != nil || a.RequireTests != nil || a.RequireReview != nil, "max_files, require_tests and require_review", guideline.Constraint},
	}
}

// incomplete finds an action that does not say what its type is for.
func (c *checker) incomplete(s *subject) {
	a := &s.Action
	missing := func(what, remedy string) {
		c.report(s, IncompleteAction, Error, fmt.Sprintf("action: is of type %s and has %s", a.Type, what), remedy)
	}
	switch a.Type {
	case guideline.Instruction:
		if isBlank(a.Instruction) {
			missing("no instruction", "write action.instruction, or choose the type that fits")
		}
	case guideline.ToolRestriction:
		if len(a.ToolsAllowed)+len(a.ToolsDenied) == 0 {
			missing("neither tools_allowed nor tools_denied", "list the tools, or make it an instruction")
		}
	case guideline.Constraint:
		if a.MaxFiles == nil && a.RequireTests == nil && a.RequireReview == nil {
			missing("no constraint", "set max_files, require_tests or require_review, or make it an instruction")
		}
	case guideline.HITLGate:
		if a.GateType == "" {
			missing("no gate_type", "name the gate that a person is asked for")
		}
	case guideline.Telemetry:
		if a.Parameters["log"] == nil && a.Parameters["sample"] == nil {
			missing("no parameters of logging", "set parameters.log to none, decisions or full, or parameters.sample")
		}
	}
}

// unused finds fields that another type of action has: some are in force all the same, some do nothing.
func (c *checker) unused(s *subject) {
	a := &s.Action
	for _, p := range parts(a) {
		if p.isSet && p.of != a.Type {
			c.report(s, UnusedField, Warning,
				fmt.Sprintf("action: is of type %s, and the fields of a %s (%s) are in force too", a.Type, p.of, p.fields),
				fmt.Sprintf("put them into a guideline of type %s", p.of))
		}
	}
	if a.Type != guideline.Telemetry && (a.Parameters["log"] != nil || a.Parameters["sample"] != nil) {
		c.report(s, UnusedField, Warning, "action.parameters: log and sample do nothing in an action of type "+string(a.Type),
			"put them into a guideline of type telemetry")
	}
	objects := func(p part) bool { return p.isSet && p.of != guideline.Constraint }
	if a.Parameters["instead"] != nil && !slices.ContainsFunc(parts(a), objects) {
		c.report(s, UnusedField, Warning, "action.parameters: instead is only said when a tool call is denied or asked about",
			"remove it, or put it into the instruction")
	}
}
