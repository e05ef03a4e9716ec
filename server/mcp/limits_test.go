package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"guardrails/internal/fortests/forbidden"
)

// TestEveryLimitOfTheSchemasHolds calls each tool with values that the schema of its arguments forbids.
func TestEveryLimitOfTheSchemasHolds(t *testing.T) {
	s := newGateServer(t)
	var list struct {
		Tools []struct {
			Name        string
			InputSchema map[string]any
		}
	}
	check(t, json.Unmarshal(ask(t, s.Server, "tools/list", `{}`), &list))
	tried := 0
	for _, tool := range list.Tools {
		for _, v := range forbidden.Values(tool.InputSchema, nil) {
			// The protocol itself allows nothing but an object. A null counts as a missing argument, because models often
			// write it.
			if v.Path == "" || v.Forbidden == nil {
				continue
			}
			if named, _ := v.Document.(map[string]any); tool.Name == "guardrails_update" && named["id"] == nil {
				named["id"], named["version"] = "gate", 1 // the fields are read only for a guideline that exists
			}
			arguments, err := json.Marshal(v.Document)
			check(t, err)
			tried++
			if got := call(t, s.Server, tool.Name, string(arguments)); !got.IsError || !strings.Contains(got.Content[0].Text, v.Path) {
				t.Errorf("%s %.200s: the answer has no mistake of %s: %.300s", tool.Name, arguments, v.Path, got.Content[0].Text)
			}
		}
	}
	const known = 200
	if tried < known {
		t.Errorf("the schemas have %d limits; the test does not see all of them", tried)
	}
}
