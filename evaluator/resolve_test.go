package evaluator_test

import (
	"slices"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
)

func TestAllowListsAreResolvedByTool(t *testing.T) {
	tests := []struct {
		name       string
		guidelines []guideline.Guideline
		want       []string
	}{
		{"the highest priority decides", []guideline.Guideline{
			newGuideline("low", 1, allows("Bash(npm*)")), newGuideline("high", 2, allows("Bash(go*)")),
		}, []string{"Bash(go*)"}},
		{"the highest priority decides only about the tools that it lists", []guideline.Guideline{
			newGuideline("low", 1, allows("Bash(npm*)", "Read")), newGuideline("high", 2, allows("Bash(go*)")),
		}, []string{"Bash(go*)", "Read"}},
		{"lists of equal priority are combined", []guideline.Guideline{
			newGuideline("b", 1, allows("Bash(npm*)", "Bash(go*)")), newGuideline("a", 1, allows("Bash(go*)")),
		}, []string{"Bash(go*)", "Bash(npm*)"}},
		{"MultiEdit and Edit have one list", []guideline.Guideline{
			newGuideline("low", 1, allows("Edit(a/*)", "NotebookEdit")), newGuideline("high", 2, allows("MultiEdit(b/*)")),
		}, []string{"MultiEdit(b/*)"}},
		{"all tools that write have one list of paths", []guideline.Guideline{
			newGuideline("low", 1, allows("Edit(docs/*)", "Write", "NotebookEdit")), newGuideline("high", 2, allows("Write(src/*)")),
		}, []string{"Write(src/*)"}},
		{"all tools that read have one list of paths", []guideline.Guideline{
			newGuideline("low", 1, allows("Read(docs/*)", "Grep")), newGuideline("high", 2, allows("Grep(src/*)")),
		}, []string{"Grep(src/*)"}},
		{"a tool's plain name is a list for that tool alone", []guideline.Guideline{
			newGuideline("low", 1, allows("Edit(docs/*)", "Edit")), newGuideline("high", 2, allows("Write")),
		}, []string{"Write", "Edit(docs/*)", "Edit"}},
		{"a plain name and paths of equal priority are combined", []guideline.Guideline{
			newGuideline("a", 1, allows("Edit")), newGuideline("b", 1, allows("Write(src/*)", "Write")),
		}, []string{"Edit", "Write(src/*)", "Write"}},
		{"Task is Agent", []guideline.Guideline{
			newGuideline("low", 1, allows("Task(x)")), newGuideline("high", 2, allows("Agent(y)")),
		}, []string{"Agent(y)"}},
		{"what is denied is not allowed", []guideline.Guideline{
			newGuideline("low", 1, denies("Bash(go*)")), newGuideline("high", 2, allows("Bash(go*)", "Bash(npm*)")),
		}, []string{"Bash(npm*)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := evaluate(t, evaluator.Query{}, tt.guidelines...).ToolsAllowed; !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestDenialsAreCombined(t *testing.T) {
	got := evaluate(t, evaluator.Query{},
		newGuideline("low", 1, denies("Write", "Bash(rm*)")), newGuideline("high", 2, denies("Bash(rm*)", "WebFetch")),
	).ToolsDenied
	if want := []string{"Bash(rm*)", "WebFetch", "Write"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOneGateOfEachTypeIsRequired(t *testing.T) {
	tests := []struct {
		name       string
		guidelines []guideline.Guideline
		want       []evaluator.Gate
	}{
		{"a gate is mandatory unless it says otherwise", []guideline.Guideline{
			newGuideline("g", 1, asks("deploy", "")),
		}, []evaluator.Gate{{"deploy", guideline.Mandatory, "g"}}},
		{"a lower advisory gate does not weaken a mandatory one", []guideline.Guideline{
			newGuideline("low", 1, asks("deploy", guideline.Advisory)), newGuideline("high", 2, asks("deploy", guideline.Mandatory)),
		}, []evaluator.Gate{{"deploy", guideline.Mandatory, "high"}}},
		{"the highest priority may make a gate advisory", []guideline.Guideline{
			newGuideline("low", 1, asks("deploy", guideline.Mandatory)), newGuideline("high", 2, asks("deploy", guideline.Advisory)),
		}, []evaluator.Gate{{"deploy", guideline.Advisory, "high"}}},
		{"of equal priorities, the mandatory gate decides", []guideline.Guideline{
			newGuideline("a", 1, asks("deploy", guideline.Advisory)), newGuideline("b", 1, asks("deploy", guideline.Mandatory)),
		}, []evaluator.Gate{{"deploy", guideline.Mandatory, "b"}}},
		{"of equal gates, the first id decides", []guideline.Guideline{
			newGuideline("b", 1, asks("deploy", "")), newGuideline("a", 1, asks("deploy", "")),
		}, []evaluator.Gate{{"deploy", guideline.Mandatory, "a"}}},
		{"gates of different types, in order", []guideline.Guideline{
			newGuideline("low", 1, asks("deploy", "")), newGuideline("high", 2, asks("merge", guideline.Advisory)),
		}, []evaluator.Gate{{"merge", guideline.Advisory, "high"}, {"deploy", guideline.Mandatory, "low"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := evaluate(t, evaluator.Query{}, tt.guidelines...).GatesRequired; !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestConstraintsAreDecidedSeparately(t *testing.T) {
	files := func(n int) guidelineOption { return func(g *guideline.Guideline) { g.Action.MaxFiles = &n } }
	tests := func(b bool) guidelineOption { return func(g *guideline.Guideline) { g.Action.RequireTests = &b } }
	review := func(b bool) guidelineOption { return func(g *guideline.Guideline) { g.Action.RequireReview = &b } }
	cases := []struct {
		name       string
		guidelines []guideline.Guideline
		want       string
	}{
		{"none", []guideline.Guideline{newGuideline("g", 1)}, `{}`},
		{"the highest priority that sets the constraint decides", []guideline.Guideline{
			newGuideline("low", 1, files(3), tests(true)), newGuideline("high", 2, files(9)),
		}, `{"max_files":9,"require_tests":true}`},
		{"a higher priority may turn a constraint off", []guideline.Guideline{
			newGuideline("low", 1, tests(true), review(true)), newGuideline("high", 2, tests(false)),
		}, `{"require_tests":false,"require_review":true}`},
		{"of equal priorities, the stricter value decides", []guideline.Guideline{
			newGuideline("a", 1, files(9), tests(false), review(true)), newGuideline("b", 1, files(3), tests(true), review(false)),
		}, `{"max_files":3,"require_tests":true,"require_review":true}`},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if got := marshal(t, evaluate(t, evaluator.Query{}, tt.guidelines...).Constraints); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestAGuidelineThatOnlyMayMatchDecidesNothing(t *testing.T) {
	limit, required := 1, true
	got := evaluate(t, evaluator.Query{Unknown: guideline.FieldEvent},
		newGuideline("maybe", 9, when(guideline.Condition{Events: []string{"commit"}}), does(guideline.Action{
			ToolsAllowed: []string{"Bash(go*)"}, ToolsDenied: []string{"Write"}, GateType: "deploy",
			MaxFiles: &limit, RequireTests: &required,
		})),
		newGuideline("sure", 1, allows("Bash(npm*)", "Write"), asks("deploy", guideline.Advisory)),
	)
	if got.Count != 2 || got.MatchedCount != 2 || marshal(t, got.Guidelines[0].Residual) != `{"events":["commit"]}` {
		t.Errorf("got %s", marshal(t, got))
	}
	if want := []string{"Bash(npm*)", "Write"}; !slices.Equal(got.ToolsAllowed, want) || len(got.ToolsDenied) != 0 {
		t.Errorf("allowed %v, denied %v", got.ToolsAllowed, got.ToolsDenied)
	}
	if want := (evaluator.Gate{GateType: "deploy", Threshold: guideline.Advisory, GuidelineID: "sure"}); got.GatesRequired[0] != want {
		t.Errorf("got gate %v, want %v", got.GatesRequired[0], want)
	}
	if got.Constraints != (evaluator.Constraints{}) {
		t.Errorf("got constraints %s", marshal(t, got.Constraints))
	}
}
