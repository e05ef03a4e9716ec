package cli_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"guardrails/cli"
	"guardrails/store"
)

// REST, MCP and the command line must have the same filters of the audit, with the same values and the same meaning.
func TestTheFiltersOfTheAuditAreTheSameEverywhere(t *testing.T) {
	var api struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name string }
		}
	}
	readJSON(t, "../docs/openapi.json", &api)
	var tools struct {
		Tools []struct {
			Name        string
			InputSchema struct {
				Properties map[string]struct{ Enum []string }
			}
		}
	}
	readJSON(t, "../server/mcp/testdata/tools_store.json", &tools)
	command, _, err := cli.NewRoot().Find([]string{"audit", "list"})
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range store.AuditFields() {
		for _, path := range []string{"/api/guardrails/audit", "/api/guardrails/audit/export"} {
			if !slices.Contains(api.Paths[path]["get"].Parameters, struct{ Name string }{field.Name}) {
				t.Errorf("REST: %s has no %s", path, field.Name)
			}
		}
		for _, tool := range tools.Tools {
			property, has := tool.InputSchema.Properties[field.Name]
			if tool.Name == "guardrails_audit" && (!has || !slices.Equal(property.Enum, field.Values)) {
				t.Errorf("MCP: %s has the values %v", field.Name, property.Enum)
			}
		}
		for _, flag := range field.Flags() {
			if command.Flags().Lookup(flag) == nil {
				t.Errorf("command line: no --%s", flag)
			}
		}
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}
