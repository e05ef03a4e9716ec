package evaluator_test

import (
	"slices"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

func TestEveryGuidelineIsExplained(t *testing.T) {
	q := evaluator.Query{
		Context: guideline.Context{
			Agent: "backend", Paths: []string{"", "docs/a", "src/b"}, TenantID: "acme",
			Metadata: map[string]any{"env": "prod", "team": "ui", "other": 1},
		},
		Unknown: guideline.FieldEvent,
	}
	for _, tt := range explainedCases() {
		t.Run(tt.name, func(t *testing.T) {
			set := compile(t, []guideline.Guideline{newGuideline("g", 5, tt.with...)})
			want := `{"guidelines":[{"id":"g","priority":5,` + tt.want + `]}`
			if got := marshal(t, set.Explain(&q)); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

type explainedCase struct {
	name string
	with []guidelineOption
	want string
}

func explainedCases() []explainedCase {
	custom := map[string]any{"env": []any{"test", "prod"}, "team": "core"}
	return []explainedCase{
		{"no condition", nil, `"outcome":"matched","fields":[]}`},
		{
			"matched",
			[]guidelineOption{when(guideline.Condition{Agents: []string{"pm", "backend"}, Paths: []string{"*.md", "src/*"}})},
			`"outcome":"matched","fields":[` +
				`{"field":"agents","outcome":"matched","wanted":["pm","backend"],"got":"backend","hit":"backend"},` +
				`{"field":"paths","outcome":"matched","wanted":["*.md","src/*"],"got":["docs/a","src/b"],"hit":"src/*"}]}`,
		},
		{
			"unknown",
			[]guidelineOption{when(guideline.Condition{Events: []string{"commit"}})},
			`"outcome":"residual","fields":[{"field":"events","outcome":"unknown","wanted":["commit"]}]}`,
		},
		{
			"the first field that does not match decides",
			[]guidelineOption{when(guideline.Condition{
				Domains: []string{"P01"}, Paths: []string{"*.md"}, Events: []string{"commit"},
			})},
			`"outcome":"not_matched","decided_by":"domains","fields":[{"field":"domains","outcome":"absent","wanted":["P01"]},` +
				`{"field":"paths","outcome":"not_matched","wanted":["*.md"],"got":["docs/a","src/b"]},` +
				`{"field":"events","outcome":"unknown","wanted":["commit"]}]}`,
		},
		{
			"custom that matches",
			[]guidelineOption{when(guideline.Condition{Custom: map[string]any{"env": custom["env"]}})},
			`"outcome":"matched","fields":[{"field":"custom","outcome":"matched","wanted":["env is test or prod"],"got":{"env":"prod"},"hit":"env is prod"}]}`,
		},
		{
			"custom with a key that does not match",
			[]guidelineOption{when(guideline.Condition{Custom: custom})},
			`"outcome":"not_matched","decided_by":"custom","fields":[{"field":"custom","outcome":"not_matched",` +
				`"wanted":["env is test or prod","team is core"],"got":{"env":"prod","team":"ui"}}]}`,
		},
		{
			"custom with a key that the metadata does not have",
			[]guidelineOption{when(guideline.Condition{Custom: map[string]any{"x": 1}})},
			`"outcome":"not_matched","decided_by":"custom","fields":[{"field":"custom","outcome":"absent","wanted":["x is 1"]}]}`,
		},
		{
			"custom with a list in a list, which equals nothing",
			[]guidelineOption{when(guideline.Condition{Custom: map[string]any{"env": []any{[]any{"prod"}}}})},
			`"outcome":"not_matched","decided_by":"custom","fields":[{"field":"custom","outcome":"not_matched","wanted":["env is [prod]"],"got":{"env":"prod"}}]}`,
		},
		{"disabled", []guidelineOption{disabled, when(guideline.Condition{Agents: []string{"pm"}})}, `"outcome":"disabled","fields":[` +
			`{"field":"agents","outcome":"not_matched","wanted":["pm"],"got":"backend"}]}`},
		{"of another tenant", []guidelineOption{ofTenant("globex")}, `"outcome":"other_tenant","fields":[]}`},
		{"of the tenant", []guidelineOption{ofTenant("acme")}, `"outcome":"matched","fields":[]}`},
	}
}

func TestAnExplanationNamesPlaces(t *testing.T) {
	set := compile(t, []guideline.Guideline{newGuideline("g", 5, when(guideline.Condition{Paths: []string{"src/*"}}))})
	places := []pattern.Path{{Name: "a"}, {Name: "src", Tree: true}}
	got := set.Explain(&evaluator.Query{Context: guideline.Context{Paths: []string{"x"}}, Places: places})
	want := `[{"field":"paths","outcome":"matched","wanted":["src/*"],"got":["a","src"],"hit":"src/*"}]`
	if text := marshal(t, got.Guidelines[0].Fields); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
	none := set.Explain(&evaluator.Query{Places: []pattern.Path{}})
	if got := none.Guidelines[0].Fields[0].Outcome; got != evaluator.Absent {
		t.Errorf("no places are %s", got)
	}
}

func TestAnExplanationNamesWhatIsOverridden(t *testing.T) {
	for _, tt := range overriddenCases() {
		t.Run(tt.name, func(t *testing.T) {
			set := compile(t, tt.guidelines[:])
			for _, e := range set.Explain(&evaluator.Query{Unknown: guideline.FieldEvent}).Guidelines {
				if e.ID == "x" && !slices.Equal(e.Overridden, tt.want) {
					t.Errorf("got %+v\nwant %+v", e.Overridden, tt.want)
				}
				if e.ID != "x" && e.Overridden != nil {
					t.Errorf("%s is overridden: %+v", e.ID, e.Overridden)
				}
			}
		})
	}
}

type overriddenCase struct {
	name       string
	guidelines [2]guideline.Guideline
	want       []evaluator.Override
}

func overriddenCases() []overriddenCase {
	files := func(n int) guidelineOption { return func(g *guideline.Guideline) { g.Action.MaxFiles = &n } }
	review := func(b bool) guidelineOption { return func(g *guideline.Guideline) { g.Action.RequireReview = &b } }
	type override = evaluator.Override
	return []overriddenCase{
		{
			"an allow list of lower priority",
			[2]guideline.Guideline{newGuideline("x", 2, allows("Write(src/*)", "Read")), newGuideline("other", 3, allows("Write(docs/*)"))},
			[]override{{"tools_allowed: Write(src/*)", "other", "its allow list for writing is at priority 3, above 2"}},
		},
		{
			"an allowed pattern that is denied",
			[2]guideline.Guideline{newGuideline("x", 2, allows("Write(src/*)", "Read(a)")), newGuideline("other", 1, denies("Write(src/*)", "Read"))},
			[]override{
				{"tools_allowed: Write(src/*)", "other", "it denies Write(src/*), and a denial always wins"},
				{"tools_allowed: Read(a)", "other", "it denies Read, and a denial always wins"},
			},
		},
		{
			"a denied star and a narrower denial override nothing",
			[2]guideline.Guideline{newGuideline("x", 2, allows("Write", "Read")), newGuideline("other", 1, denies("*", "Write(src/*)"))},
			nil,
		},
		{
			"a gate of lower priority",
			[2]guideline.Guideline{newGuideline("x", 2, asks("deploy", "")), newGuideline("other", 3, asks("deploy", guideline.Advisory))},
			[]override{{"gate: deploy", "other", "it requires this gate (advisory) at priority 3, above 2"}},
		},
		{
			"an advisory gate at the same priority",
			[2]guideline.Guideline{newGuideline("x", 2, asks("deploy", guideline.Advisory)), newGuideline("y", 2, asks("deploy", ""))},
			[]override{{"gate: deploy", "y", "at the same priority, a mandatory gate wins over an advisory one"}},
		},
		{
			"the same gate at the same priority",
			[2]guideline.Guideline{newGuideline("x", 2, asks("deploy", "")), newGuideline("a", 2, asks("deploy", ""))},
			[]override{{"gate: deploy", "a", "it requires the same gate at the same priority, and its id comes first"}},
		},
		{
			"a constraint of lower priority",
			[2]guideline.Guideline{newGuideline("x", 2, files(3), review(true)), newGuideline("other", 3, files(9), review(true))},
			[]override{{"constraint: max_files", "other", "it sets 9 at priority 3, above 2"}},
		},
		{
			"a laxer constraint at the same priority",
			[2]guideline.Guideline{newGuideline("x", 2, review(false)), newGuideline("y", 2, review(true))},
			[]override{{"constraint: require_review", "y", "it sets the stricter value true at the same priority"}},
		},
		{
			"a guideline that only may apply overrides nothing",
			[2]guideline.Guideline{
				newGuideline("x", 2, allows("Write")),
				newGuideline("other", 3, denies("Write"), when(guideline.Condition{Events: []string{"commit"}})),
			},
			nil,
		},
	}
}
