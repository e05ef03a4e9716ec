package safety_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/safety"
)

// TestMessages runs the cases in the folder rules. A line is a decision and a message, as self_harm.cases describes.
// The name of the file is the category that decides.
func TestMessages(t *testing.T) {
	for _, file := range glob(t, "rules/*.cases") {
		category := safety.Category(strings.TrimSuffix(filepath.Base(file), ".cases"))
		if !slices.Contains(safety.Categories(), category) {
			continue
		}
		for _, c := range readCases(t, file) {
			checkMessage(t, category, c)
		}
	}
}

// example is one line of a file with cases.
type example struct{ want, context, text string }

func readCases(t *testing.T, file string) (out []example) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, text, found := strings.Cut(line, ": ")
		if !found {
			t.Fatalf("%s: %q has no colon", file, line)
		}
		want, context, _ := strings.Cut(head, " ")
		out = append(out, example{want, context, strings.ReplaceAll(text, `\n`, "\n")})
	}
	return out
}

func checkMessage(t *testing.T, category safety.Category, c example) {
	t.Helper()
	in := safety.Check(c.text, nil)
	switch {
	case !isWanted(in.Action, c.want):
		t.Errorf("%s: %q is %s with %v, want %s", category, c.text, in.Action, in.Matched, c.want)
	case in.Action != safety.Proceed && in.Flags[0] != category:
		t.Errorf("%s: %q has the flags %v", category, c.text, in.Flags)
	case (in.Action == safety.Proceed) != (in.Referral == ""):
		t.Errorf("%s: %q is %s and has the referral %q", category, c.text, in.Action, in.Referral)
	case c.context != "" && (in.Override == nil || in.Override.Name != c.context):
		t.Errorf("%s: %q has the override %v, want %s", category, c.text, in.Override, c.context)
	}
}

func isWanted(got safety.Action, want string) bool {
	if want == "loud" {
		return got == safety.Hold || got == safety.Block
	}
	return string(got) == want
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	return files
}
