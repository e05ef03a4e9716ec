package decide_test

import (
	"encoding/json"
	"os"
	"testing"

	"guardrails/detect/toolcall"
)

// A value, a function or a text counts as known only if the analysis has followed everything that may have changed it.
func TestStateThatMayHaveChangedIsNotTreatedAsKnown(t *testing.T) {
	text, err := os.ReadFile("testdata/state.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Command string `json:"command"`
		Stopped bool   `json:"stopped"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	set := core(t)
	for _, c := range list {
		expect(t, set, toolcall.AnalyzeCommand(&environment, c.Command), c.Command, c.Stopped)
	}
}
