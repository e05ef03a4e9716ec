package evaluator_test

import (
	"slices"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// Each row has the action of a guideline in a higher layer, the action of a guideline in a lower layer, and the
// tools that the combined result allows and denies.
func TestALayerMakesTheResultOnlyStricter(t *testing.T) {
	list := func(texts ...string) []string { return texts }
	for _, c := range []struct {
		name            string
		high, low       guideline.Action
		allowed, denied []string
	}{
		{
			"denials unite",
			guideline.Action{ToolsDenied: list("Write")},
			guideline.Action{ToolsDenied: list("Bash")},
			list(), list("Write", "Bash"),
		},
		{
			"a narrower list counts",
			guideline.Action{ToolsAllowed: list("Write(src/**)")},
			guideline.Action{ToolsAllowed: list("Write(src/api/*)")},
			list("Write(src/api/*)"), list(),
		},
		{
			"a wider list does not count",
			guideline.Action{ToolsAllowed: list("Write(src/**)")},
			guideline.Action{ToolsAllowed: list("Write(**)")},
			list("Write(src/**)"), list(),
		},
		{
			"lists of different tools do not meet",
			guideline.Action{ToolsAllowed: list("Bash(git:*)")},
			guideline.Action{ToolsAllowed: list("WebFetch(domain:a.org)")},
			list("Bash(git:*)", "WebFetch(domain:a.org)"), list(),
		},
		{
			"lists with nothing in common deny",
			guideline.Action{ToolsAllowed: list("Write(src/**)")},
			guideline.Action{ToolsAllowed: list("Write(docs/**)")},
			list(), list("Write"),
		},
		{
			"a denial removes what the other allows",
			guideline.Action{ToolsDenied: list("Bash")},
			guideline.Action{ToolsAllowed: list("Bash")},
			list(), list("Bash"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := evaluator.EvaluateAll([]evaluator.Part{layer(t, "high", 1, c.high), layer(t, "low", 1000, c.low)})
			if !slices.Equal(r.ToolsAllowed, c.allowed) || !slices.Equal(r.ToolsDenied, c.denied) || r.Count != 2 {
				t.Errorf("allowed %v, denied %v of %d", r.ToolsAllowed, r.ToolsDenied, r.Count)
			}
		})
	}
}

func TestTheStricterGateAndConstraintOfTheLayersApplies(t *testing.T) {
	few, many, yes, no := 2, 20, true, false
	strict := guideline.Action{GateType: "g", MaxFiles: &few, RequireTests: &yes}
	mild := guideline.Action{
		GateType: "g", GateThreshold: guideline.Advisory, MaxFiles: &many, RequireTests: &no, RequireReview: &yes,
	}
	for _, actions := range [][2]guideline.Action{{strict, mild}, {mild, strict}} {
		r := evaluator.EvaluateAll([]evaluator.Part{layer(t, "high", 1, actions[0]), layer(t, "low", 1000, actions[1])})
		limits := r.Constraints
		if *limits.MaxFiles != 2 || !*limits.RequireTests || !*limits.RequireReview {
			t.Errorf("got %d, %v, %v", *limits.MaxFiles, *limits.RequireTests, *limits.RequireReview)
		}
		if len(r.GatesRequired) != 1 || r.GatesRequired[0].Threshold != guideline.Mandatory {
			t.Errorf("got %+v", r.GatesRequired)
		}
	}
}

func layer(t *testing.T, id string, priority int, a guideline.Action) evaluator.Part {
	t.Helper()
	set, err := evaluator.Compile([]guideline.Guideline{{ID: id, Name: id, Enabled: true, Priority: priority, Action: a}})
	if err != nil {
		t.Fatal(err)
	}
	return evaluator.Part{Set: set, Query: &evaluator.Query{}}
}

func TestTheToolsThatLayersAskAboutUnite(t *testing.T) {
	asks := func(pattern string) guideline.Action {
		return guideline.Action{Type: guideline.HITLGate, GateType: "g", ToolsAsked: []string{pattern}}
	}
	r := evaluator.EvaluateAll([]evaluator.Part{
		layer(t, "high", 1, asks("Write(a/*)")), layer(t, "low", 1000, asks("Write(b/*)")),
	})
	if want := []string{"Write(a/*)", "Write(b/*)"}; !slices.Equal(r.ToolsAsked, want) {
		t.Errorf("got %v, want %v", r.ToolsAsked, want)
	}
	none := evaluator.EvaluateAll([]evaluator.Part{
		layer(t, "high", 1, guideline.Action{}), layer(t, "low", 1000, guideline.Action{}),
	})
	if none.ToolsAsked == nil {
		t.Error("the list is nil, so JSON would have null")
	}
}
