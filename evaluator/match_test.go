package evaluator_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

func TestConditionsMatch(t *testing.T) {
	type condition = guideline.Condition
	type context = guideline.Context
	tests := []struct {
		name      string
		condition condition
		context   context
		want      bool
	}{
		{"no condition matches everything", condition{}, context{}, true},
		{"an empty list is no condition", condition{Agents: []string{}}, context{}, true},
		{"one of the values", condition{Agents: []string{"a", "b"}}, context{Agent: "b"}, true},
		{"another value", condition{Agents: []string{"a", "b"}}, context{Agent: "c"}, false},
		{"case counts", condition{Agents: []string{"Backend"}}, context{Agent: "backend"}, false},
		{"a part of a value", condition{Agents: []string{"backend"}}, context{Agent: "back"}, false},
		{"an absent value does not match", condition{Events: []string{"commit"}}, context{}, false},
		{"an empty value in the condition does not match an absent one", condition{Events: []string{""}}, context{}, false},
		{"domain", condition{Domains: []string{"P01"}}, context{Domain: "P01"}, true},
		{"action", condition{Actions: []string{"fix"}}, context{Action: "fix"}, true},
		{"event", condition{Events: []string{"commit"}}, context{Event: "commit"}, true},
		{"gate type", condition{GateTypes: []string{"merge"}}, context{GateType: "merge"}, true},
		{"fields are not mixed up", condition{Domains: []string{"x"}}, context{Action: "x", Agent: "x", Event: "x"}, false},
		{
			"every field must match",
			condition{Agents: []string{"a"}, Events: []string{"commit"}},
			context{Agent: "a", Event: "push"},
			false,
		},
		{"one path matches one pattern", condition{Paths: []string{"x", "src/*"}}, context{Paths: []string{"a", "src/b"}}, true},
		{"no path matches", condition{Paths: []string{"src/*"}}, context{Paths: []string{"a", "b"}}, false},
		{"an absent list of paths", condition{Paths: []string{"*"}}, context{}, false},
		{"an empty path counts as absent", condition{Paths: []string{"*"}}, context{Paths: []string{""}}, false},
		{"a path with .. is cleaned", condition{Paths: []string{"contracts/*"}}, context{Paths: []string{"src/../contracts/x"}}, true},
		{"a path with .. matches only in its cleaned form", condition{Paths: []string{"src/*"}}, context{Paths: []string{"src/../contracts/x"}}, false},
		{"a path before a path with .. does not change", condition{Paths: []string{"./src/*"}}, context{Paths: []string{"./src/a", "a/../b"}}, true},
		{"a path after a path with .. does not change", condition{Paths: []string{"./src/*"}}, context{Paths: []string{"a/../b", "./src/a"}}, true},
		{"a path that leaves the project", condition{Paths: []string{"*"}}, context{Paths: []string{"src/../../x"}}, false},
		{"the parent of the project", condition{Paths: []string{"**"}}, context{Paths: []string{".."}}, false},
		{"a path that leaves the home directory", condition{Paths: []string{"src/*"}}, context{Paths: []string{"~/../src/x"}}, false},
		{"an absolute path cannot climb above the root", condition{Paths: []string{"/etc/*"}}, context{Paths: []string{"/../etc/passwd"}}, true},
		{"two dots in a name", condition{Paths: []string{"a..b/*"}}, context{Paths: []string{"a..b/c"}}, true},
		{"custom", condition{Custom: map[string]any{"env": "prod"}}, context{Metadata: map[string]any{"env": []any{"x", "prod"}}}, true},
		{"custom without metadata", condition{Custom: map[string]any{"env": "prod"}}, context{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := compile(t, []guideline.Guideline{newGuideline("g", 1, when(tt.condition))})
			if got := len(set.Match(&evaluator.Query{Context: tt.context}, nil)) == 1; got != tt.want {
				t.Errorf("match is %v, want %v", got, tt.want)
			}
		})
	}
}

func TestOtherTenantsAndDisabledGuidelinesDoNotMatch(t *testing.T) {
	set := compile(t, []guideline.Guideline{
		newGuideline("acme", 3, ofTenant("acme")), newGuideline("all", 2), newGuideline("globex", 1, ofTenant("globex")),
		newGuideline("off", 1, disabled),
	})
	for tenant, want := range map[string][]string{"": {"all"}, "acme": {"acme", "all"}, "globex": {"all", "globex"}, "other": {"all"}} {
		q := &evaluator.Query{Context: guideline.Context{TenantID: tenant}}
		if got := ids(set.Match(q, nil)); !slices.Equal(got, want) {
			t.Errorf("tenant %q: got %v, want %v", tenant, got, want)
		}
	}
}

func TestPlacesReplacePaths(t *testing.T) {
	set := compile(t, []guideline.Guideline{newGuideline("g", 1, when(guideline.Condition{Paths: []string{"src/*"}}))})
	inside := guideline.Context{Paths: []string{"src/a"}}
	tests := []struct {
		name   string
		places []pattern.Path
		want   bool
	}{
		{"no places: the paths are matched", nil, true},
		{"an empty list of places: nothing is touched", []pattern.Path{}, false},
		{"a place that matches", []pattern.Path{{Name: "a"}, {Name: "src/b"}}, true},
		{"a whole tree", []pattern.Path{{Name: "src", Tree: true}}, true},
		{"its name alone", []pattern.Path{{Name: "src"}}, false},
		{"a shell's glob", []pattern.Path{{Name: "s*/x", Glob: true}}, true},
		{"a place outside the project", []pattern.Path{{Name: "/src/x"}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := &evaluator.Query{Context: inside, Places: tt.places}
			if got := len(set.Match(q, nil)) == 1; got != tt.want {
				t.Errorf("match is %v, want %v", got, tt.want)
			}
		})
	}
}

func TestConditionsOnUnknownFieldsAreResidual(t *testing.T) {
	condition := guideline.Condition{
		Agents: []string{"a"}, Domains: []string{"d"}, Actions: []string{"x"}, Paths: []string{"p"},
		Events: []string{"e"}, GateTypes: []string{"g"}, Custom: map[string]any{"env": "prod"},
	}
	set := compile(t, []guideline.Guideline{newGuideline("g", 1, when(condition))})
	whole := guideline.Context{
		Agent: "a", Domain: "d", Action: "x", Paths: []string{"p"}, Event: "e", GateType: "g", Metadata: map[string]any{"env": "prod"},
	}
	for unknown := range guideline.Fields(128) {
		context := whole
		hide(&context, unknown)
		matches := set.Match(&evaluator.Query{Context: context, Unknown: unknown}, nil)
		if len(matches) != 1 || matches[0].Residual != unknown || matches[0].Matched != 127&^unknown {
			t.Errorf("with %v unknown: got %+v", unknown.Names(), matches)
		}
		if known := set.Match(&evaluator.Query{Context: context}, nil); (len(known) == 1) != (unknown == 0) {
			t.Errorf("with %v absent: got %v", unknown.Names(), ids(known))
		}
	}
}

// hide() changes the given fields to values that do not match. A query in which these fields are unknown must ignore
// the values.
func hide(c *guideline.Context, fields guideline.Fields) {
	for field, change := range map[guideline.Fields]func(){
		guideline.FieldAgent:    func() { c.Agent = "other" },
		guideline.FieldDomain:   func() { c.Domain = "" },
		guideline.FieldAction:   func() { c.Action = "other" },
		guideline.FieldPaths:    func() { c.Paths = []string{"other"} },
		guideline.FieldEvent:    func() { c.Event = "" },
		guideline.FieldGateType: func() { c.GateType = "other" },
		guideline.FieldMetadata: func() { c.Metadata = nil },
	} {
		if fields.Has(field) {
			change()
		}
	}
}

func TestAnUnknownFieldDoesNotOutweighOneThatDoesNotMatch(t *testing.T) {
	set := compile(t, []guideline.Guideline{
		newGuideline("g", 1, when(guideline.Condition{Agents: []string{"a"}, Events: []string{"commit"}})),
	})
	q := &evaluator.Query{Context: guideline.Context{Agent: "b"}, Unknown: guideline.FieldEvent}
	if got := set.Match(q, nil); len(got) != 0 {
		t.Errorf("got %v", ids(got))
	}
}

func TestMatchAppendsInOrder(t *testing.T) {
	set := compile(t, []guideline.Guideline{
		newGuideline("z", 1), newGuideline("b", 7, when(guideline.Condition{Agents: []string{"a"}})),
		newGuideline("a", 7, when(guideline.Condition{Events: []string{"e"}}), allows("Bash"), denies("Write")), newGuideline("y", 9),
	})
	first := evaluator.Match{Guideline: &guideline.Guideline{ID: "kept"}}
	got := set.Match(&evaluator.Query{Context: guideline.Context{Agent: "a", Event: "e"}}, []evaluator.Match{first})
	if want := []string{"kept", "y", "a", "b", "z"}; !slices.Equal(ids(got), want) {
		t.Fatalf("got %v, want %v", ids(got), want)
	}
	if a := got[2]; a.Allowed[0].String() != "Bash" || a.Denied[0].String() != "Write" || a.Matched != guideline.FieldEvent {
		t.Errorf("got %+v", a)
	}
}

func TestPathsMatchTheSharedVectors(t *testing.T) {
	var vectors struct {
		Cases []struct {
			Pattern, Path string
			Match         bool
		}
	}
	text, err := os.ReadFile("testdata/fnmatch.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors.Cases) == 0 {
		t.Fatalf("%d cases, error %v", len(vectors.Cases), err)
	}
	for _, c := range vectors.Cases {
		set := compile(t, []guideline.Guideline{newGuideline("g", 1, when(guideline.Condition{Paths: []string{c.Pattern}}))})
		q := &evaluator.Query{Context: guideline.Context{Paths: []string{c.Path}}}
		if got := len(set.Match(q, nil)) == 1; got != c.Match {
			t.Errorf("%s with %s: match is %v, want %v", c.Pattern, c.Path, got, c.Match)
		}
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	for _, size := range []int{1000, 10000} {
		set := compile(t, manyGuidelines(size))
		q := tenMatching()
		into := make([]evaluator.Match, 0, 10)
		if allocs := testing.AllocsPerRun(100, func() { into = set.Match(q, into[:0]) }); allocs != 0 {
			t.Errorf("%d guidelines: %v allocations, want none", size, allocs)
		}
		if len(into) != 10 {
			t.Errorf("%d guidelines: %d match, want 10", size, len(into))
		}
	}
}
