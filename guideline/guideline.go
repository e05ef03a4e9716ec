// Package guideline defines guidelines and task contexts, decodes them strictly, and encodes guidelines in a canonical
// form.
//
// Start with Guideline and Decode. The package named pattern compiles the pattern strings of a guideline.
package guideline

import "time"

// Guideline is a conditional rule: if its condition matches a task context, its action applies.
type Guideline struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Enabled     bool   `json:"enabled"`
	// The field "Locked" protects the guideline: nobody can switch it off, nobody can allow a call that it stops, and
	// exceptions in other layers do not apply to it.
	Locked    bool           `json:"locked,omitempty"`
	Category  Category       `json:"category"`
	Priority  int            `json:"priority"`
	Condition Condition      `json:"condition"`
	Action    Action         `json:"action"`
	Metadata  map[string]any `json:"metadata,omitempty"`
	Version   int            `json:"version,omitempty"`
	CreatedAt time.Time      `json:"created_at,omitzero"`
	UpdatedAt time.Time      `json:"updated_at,omitzero"`
	CreatedBy string         `json:"created_by,omitempty"`
	// TenantID limits the guideline to one tenant; empty means every tenant.
	TenantID string `json:"tenant_id,omitempty"`
	// ProjectID is the project that a guideline in a store belongs to; empty means all projects of the tenant.
	ProjectID string `json:"project_id,omitempty"`
}

// Condition says when a guideline applies. Every field that is not empty must match. A field with several items matches
// if one of them matches.
type Condition struct {
	Agents    []string       `json:"agents,omitempty"`
	Domains   []string       `json:"domains,omitempty"`
	Actions   []string       `json:"actions,omitempty"`
	Paths     []string       `json:"paths,omitempty"`
	Events    []string       `json:"events,omitempty"`
	GateTypes []string       `json:"gate_types,omitempty"`
	Custom    map[string]any `json:"custom,omitempty"`
}

// Action says what a matching guideline does.
type Action struct {
	Type         ActionType `json:"type"`
	Instruction  string     `json:"instruction,omitempty"`
	ToolsAllowed []string   `json:"tools_allowed,omitempty"`
	ToolsDenied  []string   `json:"tools_denied,omitempty"`
	// ToolsAsked limits a gate to the calls that match one of the patterns.
	ToolsAsked    []string       `json:"tools_asked,omitempty"`
	GateType      string         `json:"gate_type,omitempty"`
	GateThreshold Threshold      `json:"gate_threshold,omitempty"`
	MaxFiles      *int           `json:"max_files,omitempty"`
	RequireTests  *bool          `json:"require_tests,omitempty"`
	RequireReview *bool          `json:"require_review,omitempty"`
	Parameters    map[string]any `json:"parameters,omitempty"`
}

// Category groups guidelines in lists.
type Category string

// The categories.
const (
	CognitiveIsolation Category = "cognitive_isolation"
	HITLGateCategory   Category = "hitl_gate"
	TDDProtocol        Category = "tdd_protocol"
	ContextConstraint  Category = "context_constraint"
	AuditTelemetry     Category = "audit_telemetry"
	Security           Category = "security"
	Custom             Category = "custom"
)

// Categories lists every category.
func Categories() []Category {
	return []Category{
		CognitiveIsolation, HITLGateCategory, TDDProtocol, ContextConstraint,
		AuditTelemetry, Security, Custom,
	}
}

// ActionType says what kind of action a guideline takes.
type ActionType string

// The action types.
const (
	Instruction     ActionType = "instruction"
	ToolRestriction ActionType = "tool_restriction"
	HITLGate        ActionType = "hitl_gate"
	Constraint      ActionType = "constraint"
	Telemetry       ActionType = "telemetry"
)

// ActionTypes lists every action type.
func ActionTypes() []ActionType {
	return []ActionType{Instruction, ToolRestriction, HITLGate, Constraint, Telemetry}
}

// Threshold says whether a gate stops a call or only warns.
type Threshold string

// The thresholds. A gate without a threshold is mandatory.
const (
	Mandatory Threshold = "mandatory"
	Advisory  Threshold = "advisory"
)

// Thresholds lists every threshold.
func Thresholds() []Threshold { return []Threshold{Mandatory, Advisory} }

// Limits of a guideline's fields.
const (
	DefaultPriority = 500
	MaxPriority     = 1000
	MaxIDLength     = 128
	MaxProjectID    = 200
	MaxNameLength   = 200
	MaxDescription  = 2000
	MaxInstruction  = 10000
	MaxListItems    = 1000
)

// Threshold returns the gate's threshold, or the default.
func (a *Action) Threshold() Threshold {
	if a.GateThreshold == "" {
		return Mandatory
	}
	return a.GateThreshold
}

// Aliases returns the other ids of the guideline, from metadata.aliases.
func (g *Guideline) Aliases() []string {
	list, _ := g.Metadata["aliases"].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
