package cli_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guardrails/cli"
	"guardrails/cli/app"
	"guardrails/store"
)

// REST, MCP, the command line and the page must have the same filters of the audit, with the same values and the same
// meaning.
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
	page, address := readText(t, "../ui/src/screens/audit/AuditFilters.tsx"), readText(t, "../ui/src/model/addresses.ts")
	_, address, _ = strings.Cut(address, "export function auditSearch(")
	address, _, _ = strings.Cut(address, "\n}")
	for _, field := range store.AuditFields() {
		if !strings.Contains(address, "\n    "+field.Name+": ") {
			t.Errorf("page: the address of the audit has no %s", field.Name)
		}
		control, found := controlOf(page, field.Name)
		if !found {
			t.Errorf("page: no control sets %s", field.Name)
		}
		if missing := notOffered(control, &field); len(missing) > 0 {
			t.Errorf("page: the control for %s does not offer %q", field.Name, missing)
		}
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

// controlOf returns the element of the page in which people see and choose the value of a filter.
func controlOf(page, name string) (element string, found bool) {
	for _, element := range regexp.MustCompile(`(?s)<(Choice|Words|Moment)\b.*?(/>|</Choice>)`).FindAllString(page, -1) {
		shows := strings.Contains(element, "value={search."+name+"}")
		sets := regexp.MustCompile(`put\(\{ ` + name + `\b`).MatchString(element)
		if shows && sets {
			return element, true
		}
	}
	return "", false
}

// notOffered returns the values of a filter that its control does not offer. If a filter has many values, the page gets
// them from the server or from the schema of the API.
func notOffered(control string, field *store.AuditField) (missing []string) {
	lists := map[string]string{
		"kind": "auditEntryKindValues.map(", "event_type": "offered(known?.audit_events,", "result": "offered(known?.audit_results,",
	}
	if list := lists[field.Name]; list != "" && strings.Contains(control, list) {
		return nil
	}
	for _, value := range field.Values {
		if !strings.Contains(control, `<option value="`+value+`">`) {
			missing = append(missing, value)
		}
	}
	return missing
}

func TestUnknownFiltersAndValuesOfTheAuditAreRefusedOnTheCommandLine(t *testing.T) {
	var flags []string
	for _, field := range store.AuditFields() {
		flags = append(flags, "--"+field.Flag)
	}
	for _, command := range []string{"guardrails audit list", "guardrails audit export"} {
		refused := func(flag, allowed string) {
			t.Helper()
			_, stderr, code := invoke(t, command+" --"+flag+" wizard")
			if code != app.Misused || !strings.Contains(stderr, "--"+flag) || !strings.Contains(stderr, allowed) {
				t.Errorf("%s --%s: exit %d, %s, want %s", command, flag, code, stderr, allowed)
			}
		}
		refused("wizard", strings.Join(flags, ", "))
		for _, field := range store.AuditFields() {
			switch {
			case field.IsTime:
				refused(field.Flag, "2026-02-28")
			case len(field.Values) > 0:
				refused(field.Flag, strings.Join(field.Values, ", "))
			}
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(readText(t, path)), into); err != nil {
		t.Fatal(err)
	}
}
