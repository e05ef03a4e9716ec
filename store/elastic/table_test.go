package elastic_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The documentation has a table of faults. Each row must name an existing test, and each test of a fault must have a
// row.
func TestTheTableOfFaultsNamesExistingTests(t *testing.T) {
	tests := functions(t, "*_test.go", "cluster/*_test.go", "../proof/*_test.go")
	promised := map[string]bool{}
	for _, row := range rows(t, "../../docs/store.md") {
		if promised[row] = true; !tests[row] {
			t.Errorf("the table names %s, which does not exist", row)
		}
	}
	if len(promised) < 15 {
		t.Errorf("the table has %d rows", len(promised))
	}
	for name := range functions(t, "faults*_test.go") {
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

// functions() returns the names of the tests in some files.
func functions(t *testing.T, patterns ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
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
			for line := range strings.Lines(string(text)) {
				if name, is := strings.CutPrefix(line, "func Test"); is {
					names["Test"+name[:strings.IndexByte(name, '(')]] = true
				}
			}
		}
	}
	return names
}
