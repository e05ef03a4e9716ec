package sqlite_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The documentation has a table of faults. Each row must name an existing test.
func TestTheTableOfFaultsNamesExistingTests(t *testing.T) {
	text, err := os.ReadFile("../../docs/store.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n### SQLite\n")
	table, _, _ = strings.Cut(table, "\n### ")
	tests := testsIn(t, "*_test.go", "../live/*_test.go")
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

func testsIn(t *testing.T, patterns ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(paths))
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range test.FindAllStringSubmatch(string(text), -1) {
				names[found[1]] = true
			}
		}
	}
	return names
}
