// Package labeledcommands gives tests the commands in decide/testdata. Each command has the label "dangerous" or
// "harmless".
package labeledcommands

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Commands returns the commands in those files of decide/testdata whose names match the patterns. The parameter "root"
// is the root of the repository.
func Commands(t testing.TB, root string, patterns ...string) []string {
	t.Helper()
	var out []string
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(root, "decide", "testdata", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, file := range files {
			var list []struct{ Command string }
			read(t, file, &list)
			for _, c := range list {
				out = append(out, c.Command)
			}
		}
	}
	return out
}

// Misses returns the dangerous commands that guardrails is known to let pass, each with the reason.
func Misses(t testing.TB, root string) map[string]string {
	t.Helper()
	misses := map[string]string{}
	read(t, filepath.Join(root, "decide", "testdata", "known_misses.json"), &misses)
	return misses
}

func read(t testing.TB, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
