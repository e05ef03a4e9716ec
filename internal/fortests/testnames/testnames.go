// Package testnames reads the names of tests in source files. It is for checks of documents that mention such names.
package testnames

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// In is a function that returns the names of the tests in the files whose names match the patterns.
func In(t testing.TB, patterns ...string) map[string]bool {
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
