package lint_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/rules/lint"
)

// TestRemovingShadowedGuidelinesChangesNothing tries random sets. It removes the guidelines that lint reports as
// shadowed. Every result for a context and every decision on a tool call must stay the same.
func TestRemovingShadowedGuidelinesChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 6))
	found := 0
	for range 6000 {
		set := randomSet(random)
		for _, f := range lint.Check(set, lint.Options{}) {
			if f.Rule != lint.Shadowed && f.Rule != lint.Duplicate {
				continue
			}
			found++
			without := rules.Loaded{Guidelines: slices.DeleteFunc(slices.Clone(set.Guidelines), func(s rules.Source) bool { return s.ID == f.ID })}
			if before, after := behaviour(t, set), behaviour(t, &without); before != after {
				t.Fatalf("%s\nin the set %s", &f, asJSON(t, set.Plain()))
			}
		}
	}
	if found < 200 {
		t.Errorf("only %d shadowed guidelines were tested", found)
	}
}

func randomSet(random *rand.Rand) *rules.Loaded {
	l := &rules.Loaded{}
	for i := range 2 + random.IntN(3) {
		g := guideline.Guideline{
			ID: fmt.Sprintf("g%d", i), Name: "n", Description: "d", Enabled: true, Priority: 100 * random.IntN(3),
			Condition: guideline.Condition{
				Agents: randomSelection(random, "a", "b"), Actions: randomSelection(random, "fix"), Events: randomSelection(random, "commit", "push"),
				Paths: randomSelection(random, "src/*", "src/core/*", "*", "~/*", "docs/a.md", "*.md"),
			},
			Action: randomAction(random),
		}
		if random.IntN(4) == 0 {
			g.Condition.Custom = map[string]any{"team": []any{"x", "y"}[:1+random.IntN(2)]}
		}
		l.Guidelines = append(l.Guidelines, rules.Source{Guideline: g, Origin: rules.Origin{File: "f.yaml", Line: i + 1}})
	}
	return l
}

func randomAction(random *rand.Rand) guideline.Action {
	a := guideline.Action{Type: guideline.ToolRestriction}
	switch random.IntN(4) {
	case 0:
		a.ToolsDenied = randomSelection(random, "Write(src/*)", "Bash", "Read", "*", "Bash(git push:*)")
	case 1:
		a.ToolsAllowed = randomSelection(random, "Write(src/*)", "Edit(docs/*)", "Bash(git:*)", "Read", "Bash")
	case 2:
		a.Type, a.GateType = guideline.HITLGate, []string{"g", "h"}[random.IntN(2)]
		a.GateThreshold = guideline.Thresholds()[random.IntN(2)]
		a.ToolsAsked = randomSelection(random, "Write(src/*)", "Bash(git push:*)", "Read")
	default:
		a.Type = guideline.Constraint
		if random.IntN(2) == 0 {
			a.MaxFiles = new(random.IntN(3))
		}
		if random.IntN(2) == 0 {
			a.RequireTests = new(random.IntN(2) == 0)
		}
	}
	return a
}

// randomSelection returns a random selection of the items, often an empty selection.
func randomSelection(random *rand.Rand, items ...string) []string {
	if random.IntN(2) == 0 {
		return nil
	}
	return slices.DeleteFunc(items, func(string) bool { return random.IntN(2) == 0 })
}

// behaviour returns a text with a set's results for many contexts and its decisions on many tool calls.
func behaviour(t *testing.T, l *rules.Loaded) string {
	t.Helper()
	set, err := evaluator.Compile(l.Plain())
	if err != nil {
		t.Fatal(err)
	}
	var out []any
	analyzed := calls()
	for _, context := range probes() {
		r := set.Evaluate(&evaluator.Query{Context: context})
		out = append(out, r.ToolsAllowed, r.ToolsDenied, r.ToolsAsked, r.Constraints)
		for _, gate := range r.GatesRequired {
			out = append(out, gate.GateType, gate.Threshold)
		}
		for _, call := range analyzed {
			out = append(out, decide.Judge(decide.Alone(set, context), call, decide.Facts{}).Outcome)
		}
	}
	return asJSON(t, out)
}

func probes() []guideline.Context {
	var out []guideline.Context
	for _, agent := range []string{"", "a", "b"} {
		for _, team := range []any{nil, "x", []any{"y", "z"}} {
			c := guideline.Context{Agent: agent, Action: "fix", Metadata: map[string]any{"team": team}}
			withEvent := c
			withEvent.Event, withEvent.Paths = "commit", []string{"src/core/a.go", "docs/a.md"}
			out = append(out, c, withEvent)
		}
	}
	return out
}

func calls() []*effect.Analysis {
	var out []*effect.Analysis
	for _, command := range []string{"git commit -m x src/core/a.go", "git push", "echo x > docs/a.md", "cat ~/notes.md", "make"} {
		out = append(out, toolcall.AnalyzeCommand(nil, command))
	}
	for _, tool := range []string{"Read", "Write", "Edit"} {
		for _, file := range []string{"src/core/a.go", "docs/a.md", "/etc/hosts"} {
			out = append(out, toolcall.Analyze(nil, tool, []byte(`{"file_path":"`+file+`"}`)))
		}
	}
	return out
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
