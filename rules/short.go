package rules

import (
	"slices"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// In a file, the fields of a guideline's condition and action may be written at the top level, some of them under a
// shorter name. This is the short form. The function assemble() converts it to the full form. A guideline in the full
// form stays unchanged.

// The type "part" is one of the objects that make up a guideline. Every field belongs to one of these parts.
type part uint8

const (
	inGuideline part = iota
	inCondition
	inAction
	inParameters
)

// path() returns the path that a field of the part has in the full form.
func (p part) path(field string) string {
	return [...]string{"", "condition.", "action.", "action.parameters."}[p] + field
}

// The type "form" says how the value of a field is written in a file.
type form uint8

const (
	// asDecoded means that the decoder of guidelines reads the value directly.
	asDecoded form = iota
	// oneOrMore means a list. If there is only one item, the file may contain this item instead of a list.
	oneOrMore
	// clientGlobs means globs in the client's syntax: a list, or a string with commas between the globs.
	clientGlobs
	// everyTool means that the value is a list of tool patterns, or true. The value true stands for every tool.
	everyTool
	// everyCall means that the value is a list of tool patterns, or true. The value true stands for every call that the
	// condition matches.
	everyCall
)

// The type "place" says to which part a top-level field of a guideline belongs.
type place struct {
	name string
	part part
	full string
	form form
}

// The variable "places" lists every field that a guideline can have at its top level, apart from condition and
// action.
var places = [...]place{ //nolint:gochecknoglobals // a constant table
	{"id", inGuideline, "id", asDecoded},
	{"name", inGuideline, "name", asDecoded},

	{"deny", inAction, "tools_denied", everyTool},
	{"ask", inAction, "tools_asked", everyCall},
	{"allow", inAction, "tools_allowed", oneOrMore},
	{"tell", inAction, "instruction", asDecoded},
	{"because", inGuideline, "description", asDecoded},
	{"instead", inParameters, "instead", asDecoded},

	{"agents", inCondition, "agents", oneOrMore},
	{"domains", inCondition, "domains", oneOrMore},
	{"actions", inCondition, "actions", oneOrMore},
	{"paths", inCondition, "paths", clientGlobs},
	{"events", inCondition, "events", oneOrMore},
	{"gate_types", inCondition, "gate_types", oneOrMore},
	{"custom", inCondition, "custom", asDecoded},

	{"tools_denied", inAction, "tools_denied", oneOrMore},
	{"tools_asked", inAction, "tools_asked", oneOrMore},
	{"tools_allowed", inAction, "tools_allowed", oneOrMore},
	{"gate_type", inAction, "gate_type", asDecoded},
	{"gate_threshold", inAction, "gate_threshold", asDecoded},
	{"max_files", inAction, "max_files", asDecoded},
	{"require_tests", inAction, "require_tests", asDecoded},
	{"require_review", inAction, "require_review", asDecoded},

	{"description", inGuideline, "description", asDecoded},
	{"enabled", inGuideline, "enabled", asDecoded},
	{"locked", inGuideline, "locked", asDecoded},
	{"category", inGuideline, "category", asDecoded},
	{"priority", inGuideline, "priority", asDecoded},
	{"metadata", inGuideline, "metadata", asDecoded},
	{"version", inGuideline, "version", asDecoded},
	{"created_at", inGuideline, "created_at", asDecoded},
	{"updated_at", inGuideline, "updated_at", asDecoded},
	{"created_by", inGuideline, "created_by", asDecoded},
	{"tenant_id", inGuideline, "tenant_id", asDecoded},
	{"project_id", inGuideline, "project_id", asDecoded},
}

// placeOf returns the place of a field, or nil if there is no such field.
func placeOf(name string) *place {
	if i := slices.IndexFunc(places[:], func(p place) bool { return p.name == name }); i >= 0 {
		return &places[i]
	}
	return nil
}

func isGuidelineField(name string) bool {
	return name == "condition" || name == "action" || placeOf(name) != nil
}

func topFields() []document.Spec {
	specs := make([]document.Spec, 0, len(places)+2)
	for _, p := range places {
		specs = append(specs, document.Spec{Name: p.name})
	}
	return append(specs, document.Spec{Name: "condition"}, document.Spec{Name: "action"})
}

// everyToolPatterns returns the patterns that "deny: true" stands for. The pattern "*" alone would not deny a tool
// that an allow list names.
func everyToolPatterns() []string {
	return []string{
		"Bash", "PowerShell", "Write", "Edit", "NotebookEdit", "Read", "Glob", "Grep", "WebFetch", "WebSearch", "Agent",
		"Skill", "mcp__*", "*",
	}
}

func impliedCategory(action, condition *document.Node) guideline.Category {
	has := func(n *document.Node, name string) bool { return len(present(n, name)) > 0 }
	switch guideline.ActionType(textOf(action, "type")) {
	case guideline.HITLGate:
		return guideline.HITLGateCategory
	case guideline.Telemetry:
		return guideline.AuditTelemetry
	case guideline.Constraint:
		if has(action, "require_tests") {
			return guideline.TDDProtocol
		}
		return guideline.ContextConstraint
	case guideline.ToolRestriction:
		if has(condition, "agents") {
			return guideline.CognitiveIsolation
		}
	}
	if paths := condition.Field("paths"); paths != nil && len(paths.Items) > 0 {
		return guideline.ContextConstraint
	}
	return guideline.Custom
}

// impliedAction returns the action type that the fields imply. If they imply several types, it returns the strictest.
func impliedAction(action *document.Node) guideline.ActionType {
	has := func(names ...string) bool { return len(present(action, names...)) > 0 }
	switch {
	case has("tools_allowed", "tools_denied"):
		return guideline.ToolRestriction
	case has("tools_asked", "gate_type", "gate_threshold"):
		return guideline.HITLGate
	case has("max_files", "require_tests", "require_review"):
		return guideline.Constraint
	default:
		return guideline.Instruction
	}
}
