package sqlite_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"guardrails/internal/fortests/testnames"
)

// The documentation has a table of faults. Each row must name an existing test.
func TestTheTableOfFaultsNamesExistingTests(t *testing.T) {
	text, err := os.ReadFile("../../docs/store.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n### SQLite\n")
	table, _, _ = strings.Cut(table, "\n### ")
	tests := testnames.In(t, "*_test.go", "../live/*_test.go")
	rows := regexp.MustCompile(`(?m)^\|[^|]+\|[^|]+\|([^|]+)\|$`).FindAllStringSubmatch(table, -1)
	if len(rows) < 10 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, row := range rows[2:] { // after the headings and the line below them
		if name := strings.TrimSpace(row[1]); !tests[name] {
			t.Errorf("the table names %q, which does not exist", name)
		}
	}
}
