package evaluator_test

import (
	"slices"
	"strings"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
)

func TestCompileReportsEverythingThatIsWrongAtOnce(t *testing.T) {
	_, err := evaluator.Compile([]guideline.Guideline{
		newGuideline("first", 1, when(guideline.Condition{Paths: []string{"src/*", "../x"}}), allows("Write(")),
		newGuideline("second", 1, disabled, denies("Write", "Bash()")),
		newGuideline("first", 2),
	})
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	wanted := []string{
		`guideline "first": condition.paths[1]: `,
		`guideline "first": action.tools_allowed[0]: `,
		`guideline "second": action.tools_denied[1]: `,
		`guideline "first": the id is used twice in the set; rename one of the two guidelines`,
	}
	if len(lines) != len(wanted) {
		t.Fatalf("got %d errors, want %d:\n%s", len(lines), len(wanted), err)
	}
	for i, prefix := range wanted {
		if !strings.HasPrefix(lines[i], prefix) {
			t.Errorf("error %d is %q, want it to begin with %q", i, lines[i], prefix)
		}
	}
}

func TestGuidelinesAreSortedByPriorityThenID(t *testing.T) {
	given := []guideline.Guideline{newGuideline("b", 5), newGuideline("c", 9, disabled), newGuideline("a", 5), newGuideline("d", 0)}
	before := slices.Clone(given)
	var got []string
	for _, g := range compile(t, given).Guidelines() {
		got = append(got, g.ID)
	}
	if want := []string{"c", "a", "b", "d"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if marshal(t, given) != marshal(t, before) {
		t.Error("the caller's list was changed")
	}
}

func TestAnEmptySetMatchesNothing(t *testing.T) {
	got := marshal(t, compile(t, nil).Evaluate(&evaluator.Query{}))
	want := `{"success":true,"count":0,"matched_count":0,"guidelines":[],"combined_instruction":"",` +
		`"tools_allowed":[],"tools_denied":[],"tools_asked":[],"gates_required":[],"constraints":{}}`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
