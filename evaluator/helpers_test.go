package evaluator_test

import (
	"encoding/json"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// guidelineOption changes one thing in a new guideline. Without options, such a guideline always matches and does
// nothing.
type guidelineOption func(*guideline.Guideline)

func newGuideline(id string, priority int, options ...guidelineOption) guideline.Guideline {
	g := guideline.Guideline{ID: id, Name: "Name of " + id, Enabled: true, Priority: priority, Category: guideline.Security}
	for _, o := range options {
		o(&g)
	}
	return g
}

func when(c guideline.Condition) guidelineOption {
	return func(g *guideline.Guideline) { g.Condition = c }
}

func does(a guideline.Action) guidelineOption {
	return func(g *guideline.Guideline) { g.Action = a }
}

func allows(patterns ...string) guidelineOption {
	return func(g *guideline.Guideline) { g.Action.ToolsAllowed = patterns }
}

func denies(patterns ...string) guidelineOption {
	return func(g *guideline.Guideline) { g.Action.ToolsDenied = patterns }
}

func says(instruction string) guidelineOption {
	return func(g *guideline.Guideline) { g.Action.Instruction = instruction }
}

func asks(gate string, threshold guideline.Threshold) guidelineOption {
	return func(g *guideline.Guideline) { g.Action.GateType, g.Action.GateThreshold = gate, threshold }
}

func ofTenant(tenant string) guidelineOption {
	return func(g *guideline.Guideline) { g.TenantID = tenant }
}

func disabled(g *guideline.Guideline) { g.Enabled = false }

func compile(t testing.TB, guidelines []guideline.Guideline) *evaluator.Set {
	t.Helper()
	set, err := evaluator.Compile(guidelines)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func evaluate(t testing.TB, q evaluator.Query, guidelines ...guideline.Guideline) *evaluator.Result {
	t.Helper()
	return compile(t, guidelines).Evaluate(&q)
}

func ids(matches []evaluator.Match) []string {
	out := []string{}
	for _, m := range matches {
		out = append(out, m.Guideline.ID)
	}
	return out
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
