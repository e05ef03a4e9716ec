package decide_test

import (
	"os"
	"path/filepath"
	"testing"

	"guardrails/evaluator"
	"guardrails/rules"
	"guardrails/rules/cases"
)

// TestDecisions judges the tool calls of the case files by the guidelines in these files. It compares the decisions
// with the expected decisions.
func TestDecisions(t *testing.T) {
	files, err := filepath.Glob("testdata/decisions/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			set, list := specification(t, file)
			for _, r := range cases.Run(set, &environment, list) {
				for _, failure := range r.Failures {
					t.Errorf("%s: %s: %s", r.Case.Origin, r.Case.Name, failure)
				}
			}
		})
	}
}

func specification(t *testing.T, file string) (*evaluator.Set, []rules.Case) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, problems := rules.Parse(file, text)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	guidelines := rules.Loaded{Guidelines: parsed.Guidelines}
	set, err := evaluator.Compile(guidelines.Plain())
	if err != nil {
		t.Fatal(err)
	}
	return set, parsed.Cases
}
