package lint

import (
	"fmt"
	"slices"

	"guardrails/guideline"
)

// The type "part" is a group of action fields that are meant for one action type.
type part struct {
	isSet  bool
	fields string
	of     guideline.ActionType
}

func parts(a *guideline.Action) []part {
	return []part{
		{len(a.ToolsAllowed)+len(a.ToolsDenied) > 0, "tools_allowed and tools_denied", guideline.ToolRestriction},
		{a.GateType != "", "gate_type and tools_asked", guideline.HITLGate},
		{hasConstraint(a), "max_files, require_tests and require_review", guideline.Constraint},
	}
}

func hasConstraint(a *guideline.Action) bool {
	return a.MaxFiles != nil || a.RequireTests != nil || a.RequireReview != nil
}

// checkAction reports an action that lacks the fields of its type.
func (c *checker) checkAction(s *subject) {
	a := &s.Action
	missing := func(what, remedy string) {
		c.report(s, "action", IncompleteAction, Error, fmt.Sprintf("has type %s but %s", a.Type, what), remedy)
	}
	switch a.Type {
	case guideline.Instruction:
		if isBlank(a.Instruction) {
			missing("no instruction", "write action.instruction, or choose another type")
		}
	case guideline.ToolRestriction:
		if len(a.ToolsAllowed)+len(a.ToolsDenied) == 0 {
			missing("neither tools_allowed nor tools_denied", "list the tools, or change the type to instruction")
		}
	case guideline.Constraint:
		if !hasConstraint(a) {
			missing("no constraint", "set max_files, require_tests or require_review, or change the type to instruction")
		}
	case guideline.HITLGate:
		if a.GateType == "" {
			missing("no gate_type", "name the gate")
		}
	case guideline.Telemetry:
		if a.Parameters["log"] == nil && a.Parameters["sample"] == nil {
			missing("no parameters for logging", `set parameters.log to "none", "decisions" or "full", or set parameters.sample`)
		}
	}
}

// checkUnused reports fields that are meant for another type of action. Some of these fields take effect although the
// reader does not expect it. The other fields have no effect.
func (c *checker) checkUnused(s *subject) {
	a := &s.Action
	for _, p := range parts(a) {
		// If the file names no type, the reader expects that every field takes effect.
		if p.isSet && p.of != a.Type && s.HasType() {
			c.report(s, "action", UnusedField, Warning,
				fmt.Sprintf("has type %s, but also sets fields of type %s (%s), and they take effect", a.Type, p.of, p.fields),
				fmt.Sprintf("move them to a guideline of type %s", p.of))
		}
	}
	if a.Type != guideline.Telemetry && (a.Parameters["log"] != nil || a.Parameters["sample"] != nil) {
		c.report(s, "action.parameters", UnusedField, Warning,
			"the parameters \"log\" and \"sample\" have no effect in an action of type "+string(a.Type), "move them to a guideline of type telemetry")
	}
	stopsCalls := func(p part) bool { return p.isSet }
	if a.Parameters["instead"] != nil && !slices.ContainsFunc(parts(a), stopsCalls) {
		c.report(s, "action.parameters.instead", UnusedField, Warning,
			"has no effect, because it is shown only when a tool call is denied or needs confirmation",
			"remove it, or add it to the instruction")
	}
}
