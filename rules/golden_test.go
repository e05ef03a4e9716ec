package rules_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// eachFile runs a test for every file in a folder. It ignores golden files.
func eachFile(t *testing.T, folder string, test func(t *testing.T, name string, text []byte)) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no test data in %s: %v", folder, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(name), func(t *testing.T) { test(t, filepath.Base(name), text) })
	}
}

func problemLines(problems document.Problems) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "problem %v\n", p)
	}
	return b.String()
}

// described() returns a text with everything that a file defines, and with its problems.
func described(t *testing.T, file rules.File, problems document.Problems) string {
	t.Helper()
	var b strings.Builder
	for _, s := range file.Guidelines {
		text, err := guideline.Encode(&s.Guideline)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "guideline %s %s\n", s.Origin, text)
	}
	for _, c := range file.Cases {
		fmt.Fprintf(&b, "case %s %s\n", c.Origin, caseText(t, c))
	}
	return b.String() + problemLines(problems)
}
