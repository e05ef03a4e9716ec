package evaluator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"guardrails/evaluator"
	"guardrails/guideline"
)

func TestInstructionsAreJoinedUnderTheirGuidelines(t *testing.T) {
	got := evaluate(t, evaluator.Query{},
		newGuideline("low", 1, says("Second.\n")), newGuideline("silent", 2, says(" \n")), newGuideline("high", 3, says("\nFirst.\nMore.")),
	)
	want := "### Name of high (high)\nFirst.\nMore.\n\n### Name of low (low)\nSecond."
	if got.CombinedInstruction != want || got.Omitted != nil {
		t.Errorf("got %q, omitted %v, want %q", got.CombinedInstruction, got.Omitted, want)
	}
}

func TestAResidualConditionIsDescribedInWords(t *testing.T) {
	condition := guideline.Condition{
		Agents: []string{"backend", "devops"}, Domains: []string{"P01"}, Actions: []string{"fix"}, Paths: []string{"contracts/*", "*.json"},
		Events: []string{"commit"}, GateTypes: []string{"merge"},
		Custom: map[string]any{"team": []any{"core", 7.0}, "env": "prod"},
	}
	tests := []struct{ unknown, want string }{
		{"paths event", "paths match contracts/* or *.json; event is commit"},
		{"agent domain action gate_type", "agent is backend or devops; domain is P01; action is fix; gate type is merge"},
		{"metadata", "metadata env is prod; metadata team is core or 7"},
	}
	for _, tt := range tests {
		t.Run(tt.unknown, func(t *testing.T) {
			q := evaluator.Query{Context: guideline.Context{
				Agent: "devops", Domain: "P01", Action: "fix", Paths: []string{"a.json"}, Event: "commit", GateType: "merge",
				Metadata: map[string]any{"env": "prod", "team": 7.0},
			}}
			q.Unknown, _ = guideline.ParseFields(strings.Fields(tt.unknown))
			got := evaluate(t, q, newGuideline("g", 1, when(condition), says("Do."))).CombinedInstruction
			if want := "### Name of g (g)\nApplies when: " + tt.want + ".\nDo."; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestInstructionsStayWithinTheLimit(t *testing.T) {
	for _, tt := range longCases() {
		t.Run(tt.name, func(t *testing.T) {
			got := evaluate(t, evaluator.Query{}, tt.guidelines...)
			if size := utf8.RuneCountInString(got.CombinedInstruction); size > evaluator.InstructionLimit {
				t.Errorf("%d characters", size)
			}
			if !slices.Equal(got.Omitted, tt.omitted) || !strings.HasSuffix(got.CombinedInstruction, tt.end) {
				end := got.CombinedInstruction[max(0, len(got.CombinedInstruction)-60):]
				t.Errorf("omitted %v, ends in %q; want %v, %q", got.Omitted, end, tt.omitted, tt.end)
			}
		})
	}
}

type longCase struct {
	name       string
	guidelines []guideline.Guideline
	omitted    []string
	end        string
}

func longCases() []longCase {
	long := func(id string, priority, size int) guideline.Guideline {
		heading := len(fmt.Sprintf("### Name of %s (%s)\n", id, id))
		return newGuideline(id, priority, says(strings.Repeat("é", size-heading)))
	}
	return []longCase{
		{"exactly as long as the limit", []guideline.Guideline{long("a", 1, evaluator.InstructionLimit)}, nil, "é"},
		{"two that are together as long as the limit", []guideline.Guideline{long("a", 2, 4000), long("b", 1, 4998)}, nil, "é"},
		{
			"one character too many",
			[]guideline.Guideline{long("a", 2, 4000), long("b", 1, 4999)},
			[]string{"b"},
			"\n\n(Left out for length: b.)",
		},
		{
			"the lowest priority is left out first",
			[]guideline.Guideline{long("a", 1, 50), long("b", 2, 5000), long("c", 3, 3960)},
			[]string{"a"},
			"\n\n(Left out for length: a.)",
		},
		{
			"another one is left out so that the last line fits",
			[]guideline.Guideline{long("c", 1, 50), long("b", 2, 290), long("a", 3, 8698)},
			[]string{"b", "c"},
			"\n\n(Left out for length: b, c.)",
		},
		{
			"the highest priority fits together with the last line",
			[]guideline.Guideline{long("a", 3, 8973), long("b", 2, 50)},
			[]string{"b"},
			"\n\n(Left out for length: b.)",
		},
		{
			"the highest priority does not fit together with the last line",
			[]guideline.Guideline{long("a", 3, 8974), long("b", 2, 50)},
			[]string{"a"},
			"\n\n(Left out for length: a.)",
		},
		{
			"the others stay if one is longer than the limit",
			[]guideline.Guideline{long("a", 3, 50), long("b", 2, 9001), long("c", 1, 50)},
			[]string{"b"},
			"\n\n(Left out for length: b.)",
		},
	}
}

func TestManyOmittedGuidelinesAreCounted(t *testing.T) {
	var guidelines []guideline.Guideline
	for i := range 500 {
		guidelines = append(guidelines, newGuideline(fmt.Sprintf("guideline-%03d", i), 1, says(strings.Repeat("x", 500))))
	}
	got := evaluate(t, evaluator.Query{}, guidelines...)
	lines := strings.Split(got.CombinedInstruction, "\n")
	last := lines[len(lines)-1]
	named := strings.Count(last, "guideline-")
	if want := fmt.Sprintf(" and %d more.)", len(got.Omitted)-named); named == 0 || !strings.HasSuffix(last, want) {
		t.Errorf("the last line is %q, want it to end in %q", last, want)
	}
	if kept := strings.Count(got.CombinedInstruction, "###"); kept+len(got.Omitted) != 500 || utf8.RuneCountInString(got.CombinedInstruction) > evaluator.InstructionLimit {
		t.Errorf("%d kept and %d left out", kept, len(got.Omitted))
	}
}

func TestAnOmittedGuidelineWithALongIDIsOnlyCounted(t *testing.T) {
	got := evaluate(t, evaluator.Query{}, newGuideline(strings.Repeat("x", 400), 1, says(strings.Repeat("x", 10000))))
	if want := "(Left out for length: 1 of the guidelines.)"; got.CombinedInstruction != want {
		t.Errorf("got %q, want %q", got.CombinedInstruction, want)
	}
}
