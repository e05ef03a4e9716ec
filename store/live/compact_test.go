package live

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"guardrails/guideline"
)

func many(n int) (list []guideline.Guideline) {
	for i := range n {
		three := 3
		list = append(list, guideline.Guideline{
			ID: fmt.Sprint("g", i), Name: "n", Enabled: true, Category: guideline.Custom, CreatedBy: "ann", ProjectID: fmt.Sprint("p", i%2),
			Condition: guideline.Condition{
				Agents: []string{"a", "b"}, Domains: []string{"a\x01b"}, Custom: map[string]any{"x": map[string]any{"y": []any{"z", 1.5, true, nil}}},
			},
			Action:   guideline.Action{Type: guideline.Constraint, MaxFiles: &three, Parameters: map[string]any{"limit": 3.0}},
			Metadata: map[string]any{"tags": []any{fmt.Sprint("t", i%2)}},
		})
	}
	return list
}

func TestCompactGuidelinesAreTheSame(t *testing.T) {
	given := append(many(4), guideline.Guideline{}, guideline.Guideline{
		Condition: guideline.Condition{Agents: []string{}}, Metadata: map[string]any{},
	})
	for i, got := range compact(given) {
		if !reflect.DeepEqual(*got, given[i]) {
			t.Errorf("got %+v, want %+v", *got, given[i])
		}
	}
}

func TestCompactGuidelinesShareWhatIsEqual(t *testing.T) {
	got := compact(many(4))
	first, third := got[0], got[2]
	if &first.Condition.Agents[0] != &third.Condition.Agents[0] {
		t.Error("equal lists are in memory twice")
	}
	if reflect.ValueOf(first.Metadata).Pointer() != reflect.ValueOf(third.Metadata).Pointer() {
		t.Error("equal metadata is in memory twice")
	}
	if unsafe.StringData(first.ProjectID) != unsafe.StringData(third.ProjectID) {
		t.Error("equal texts are in memory twice")
	}
	if reflect.ValueOf(first.Metadata).Pointer() == reflect.ValueOf(got[1].Metadata).Pointer() {
		t.Error("different metadata is the same in memory")
	}
}
