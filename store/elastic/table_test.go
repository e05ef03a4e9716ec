package elastic_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"guardrails/internal/fortests/testnames"
)

// The documentation has a table of faults. Each row must name an existing test, and each test of a fault must have a
// row.
func TestTheTableOfFaultsNamesExistingTests(t *testing.T) {
	tests := testnames.In(t, "*_test.go", "cluster/*_test.go", "../proof/*_test.go")
	promised := map[string]bool{}
	for _, row := range rows(t, "../../docs/store.md") {
		if promised[row] = true; !tests[row] {
			t.Errorf("the table names %s, which does not exist", row)
		}
	}
	if len(promised) < 15 {
		t.Errorf("the table has %d rows", len(promised))
	}
	for name := range testnames.In(t, "faults*_test.go") {
		if !promised[name] {
			t.Errorf("%s is not in the table", name)
		}
	}
}

// rows() returns the names of the tests in the table.
func rows(t *testing.T, path string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n### Elasticsearch")
	row := regexp.MustCompile(`(?m)^\|[^|]+\|[^|]+\| (Test\w+) \|$`)
	for _, found := range row.FindAllStringSubmatch(table, -1) {
		names = append(names, found[1])
	}
	return names
}
