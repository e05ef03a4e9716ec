package evaluator

import "guardrails/guideline"

// Result is the combined result of a query. The answer of guardrails_get_context contains it as JSON.
type Result struct {
	Success             bool      `json:"success"`
	Count               int       `json:"count"`
	MatchedCount        int       `json:"matched_count"`
	Guidelines          []Applied `json:"guidelines"`
	CombinedInstruction string    `json:"combined_instruction"`
	ToolsAllowed        []string  `json:"tools_allowed"`
	ToolsDenied         []string  `json:"tools_denied"`
	// ToolsAsked has the patterns of gates that ask only about some calls.
	ToolsAsked []string `json:"tools_asked"`
	// GatesRequired has at most one gate of each type. It omits the gates that ask only about some calls.
	GatesRequired []Gate      `json:"gates_required"`
	Constraints   Constraints `json:"constraints"`
	// The field "Omitted" has the ids of guidelines whose instructions did not fit into the combined instruction.
	Omitted []string `json:"omitted,omitempty"`
	// Explanation is set by callers, not by Evaluate.
	Explanation *Explanation `json:"explanation,omitempty"`
}

// Applied is one guideline in a result.
type Applied struct {
	ID            string               `json:"id"`
	Name          string               `json:"name"`
	Category      guideline.Category   `json:"category"`
	Priority      int                  `json:"priority"`
	ActionType    guideline.ActionType `json:"action_type"`
	Instruction   string               `json:"instruction,omitempty"`
	ToolsAllowed  []string             `json:"tools_allowed"`
	ToolsDenied   []string             `json:"tools_denied"`
	ToolsAsked    []string             `json:"tools_asked"`
	GateType      string               `json:"gate_type,omitempty"`
	GateThreshold guideline.Threshold  `json:"gate_threshold,omitempty"`
	Constraints   Constraints          `json:"constraints"`
	MatchedFields []string             `json:"matched_fields"`
	// Residual is the part of the condition that is still unknown. It is nil if the whole condition matches.
	Residual *guideline.Condition `json:"residual,omitempty"`
}

// Gate is an approval that guidelines require from a person.
type Gate struct {
	GateType    string              `json:"gate_type"`
	Threshold   guideline.Threshold `json:"threshold"`
	GuidelineID string              `json:"guideline_id"`
}

// Constraints are limits on a task. A nil field means that there is no limit.
type Constraints struct {
	MaxFiles      *int  `json:"max_files,omitempty"`
	RequireTests  *bool `json:"require_tests,omitempty"`
	RequireReview *bool `json:"require_review,omitempty"`
}

// Evaluate returns the combined result of a query. A guideline that may match is listed with its residual condition,
// but does not affect tools, gates and constraints.
func (s *Set) Evaluate(q *Query) *Result {
	matches := s.Match(q, nil)
	r := resolve(matches)
	text, omitted := combine(matches)
	return &Result{
		Success:             true,
		Count:               len(matches),
		MatchedCount:        len(matches),
		Guidelines:          applied(matches),
		CombinedInstruction: text,
		ToolsAllowed:        r.allowed,
		ToolsDenied:         r.denied,
		ToolsAsked:          r.asked,
		GatesRequired:       r.gates(),
		Constraints:         r.constraints(),
		Omitted:             omitted,
	}
}

func applied(matches []Match) []Applied {
	out := make([]Applied, len(matches))
	for i := range matches {
		out[i] = matches[i].applied()
	}
	return out
}

func (m *Match) applied() Applied {
	g, a := m.Guideline, &m.Guideline.Action
	out := Applied{
		ID:            g.ID,
		Name:          g.Name,
		Category:      g.Category,
		Priority:      g.Priority,
		ActionType:    a.Type,
		Instruction:   a.Instruction,
		ToolsAllowed:  listed(a.ToolsAllowed),
		ToolsDenied:   listed(a.ToolsDenied),
		ToolsAsked:    listed(a.ToolsAsked),
		GateType:      a.GateType,
		Constraints:   Constraints{MaxFiles: a.MaxFiles, RequireTests: a.RequireTests, RequireReview: a.RequireReview},
		MatchedFields: fieldNames(m.Matched),
		Residual:      onlyFields(&g.Condition, m.Residual),
	}
	if a.GateType != "" {
		out.GateThreshold = a.Threshold()
	}
	return out
}

// listed() returns an empty list instead of nil, because the JSON must contain a list and not null.
func listed(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
