// Package labeledcommands gives tests the labeled commands of the repository. The commands in decide/testdata have the
// label "dangerous" or "harmless", those in detect/toolcall/testdata have events as labels.
package labeledcommands

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Call is a command and the tool that runs it.
type Call struct{ Tool, Command string }

// All returns all commands in decide/testdata and detect/toolcall/testdata: the dangerous and the harmless commands, the
// everyday commands, and the commands with events.
func All(t testing.TB, root string) []Call {
	t.Helper()
	decided, detected := filepath.Join(root, "decide", "testdata"), filepath.Join(root, "detect", "toolcall", "testdata")
	return slices.Concat(
		calls(t, filepath.Join(decided, "dangerous*.json")), calls(t, filepath.Join(decided, "harmless*.json")),
		calls(t, filepath.Join(decided, "everyday*.json")), calls(t, filepath.Join(detected, "commands", "*.json")),
	)
}

// Commands returns the commands in the files of decide/testdata that match the patterns. The parameter "root" is the
// root of the repository.
func Commands(t testing.TB, root string, patterns ...string) []string {
	t.Helper()
	var out []string
	for _, pattern := range patterns {
		for _, c := range calls(t, filepath.Join(root, "decide", "testdata", pattern)) {
			out = append(out, c.Command)
		}
	}
	return out
}

func calls(t testing.TB, pattern string) []Call {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	var out []Call
	for _, file := range files {
		var list []Call
		read(t, file, &list)
		out = append(out, list...)
	}
	for i := range out {
		out[i].Tool = cmp.Or(out[i].Tool, "Bash")
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
