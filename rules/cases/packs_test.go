package cases_test

import (
	"slices"
	"testing"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/rules/cases"
)

func pack(t *testing.T, name string) (*rules.Loaded, *evaluator.Set) {
	t.Helper()
	loaded, err := rules.Pack(name)
	if err != nil {
		t.Fatal(err)
	}
	set, err := evaluator.Compile(loaded.Plain())
	if err != nil {
		t.Fatal(err)
	}
	return loaded, set
}

func packCases(t *testing.T, name string) []rules.Case {
	t.Helper()
	loaded, err := rules.PackCases(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := loaded.Problems.Err(); err != nil {
		t.Fatal(err)
	}
	return loaded.Cases
}

// machines() returns several environments. The cases of the packs must have the same results in each environment.
func machines() map[string]*toolcall.Env {
	return map[string]*toolcall.Env{
		"unknown machine": {},
		"workstation":     {Root: "/home/dev/code/app", Cwd: "/home/dev/code/app", Home: "/home/dev"},
	}
}

func TestPacksPassTheirCases(t *testing.T) {
	for _, p := range rules.Packs() {
		_, set := pack(t, p.Name)
		list := packCases(t, p.Name)
		for machine, env := range machines() {
			for _, r := range cases.Run(set, env, list) {
				for _, failure := range r.Failures {
					t.Errorf("%s on a %s: %s: %s", r.Case.Origin, machine, r.Case.Name, failure)
				}
			}
		}
	}
}

func TestEveryPackGuidelineHasPositiveAndNegativeCases(t *testing.T) {
	for _, p := range rules.Packs() {
		loaded, _ := pack(t, p.Name)
		list := packCases(t, p.Name)
		for i := range loaded.Guidelines {
			g := &loaded.Guidelines[i].Guideline
			names := append(g.Aliases(), g.ID)
			says := func(ids ...string) bool {
				return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(names, id) })
			}
			covered := func(what string, by func(rules.Expect) bool) {
				if !slices.ContainsFunc(list, func(c rules.Case) bool { return by(c.Expect) }) {
					t.Errorf("%s: %s has no case in which it %s", p.Name, g.ID, what)
				}
			}
			covered("matches", func(e rules.Expect) bool { return says(slices.Concat(e.Matches, e.Includes, []string{e.Guideline})...) })
			covered("does not match", func(e rules.Expect) bool { return says(e.Excludes...) || e.Matches != nil && !says(e.Matches...) })
			if canStop(g) {
				covered("stops a tool call", func(e rules.Expect) bool { return says(e.Guideline) })
			}
		}
	}
}

// canStop reports whether a guideline can stop a single tool call. It returns false for the gates for repeated test
// failures and for loops. A single call never triggers such a gate, because the hooks count the calls.
func canStop(g *guideline.Guideline) bool {
	counted := slices.ContainsFunc(g.Condition.Events, func(event string) bool {
		return event == string(effect.TestFailureRepeated) || event == string(effect.ToolLoop)
	})
	return !counted && (g.Action.GateType != "" || len(g.Action.ToolsAllowed)+len(g.Action.ToolsDenied) > 0)
}

func TestPacksNeverSuggestACommandThatTheyStop(t *testing.T) {
	for _, p := range rules.Packs() {
		loaded, set := pack(t, p.Name)
		for i := range loaded.Guidelines {
			g := &loaded.Guidelines[i].Guideline
			text, _ := g.Action.Parameters["instead"].(string)
			for _, command := range suggested(text + "\n" + g.Action.Instruction) {
				for machine, env := range machines() {
					d := decide.Judge(decide.Alone(set, guideline.Context{}), toolcall.AnalyzeCommand(env, command), decide.Facts{})
					if d.Outcome == decide.Ask || d.Outcome == decide.Deny {
						t.Errorf("%s suggests %q, which is stopped on a %s: %s", g.ID, command, machine, d.Reason)
					}
				}
			}
		}
	}
}
