package cases_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/internal/fortests/golden"
	"guardrails/rules"
	"guardrails/rules/cases"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func parse(t *testing.T, name string) rules.File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	file, problems := rules.Parse(name, text)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return file
}

func results(t *testing.T, name string) []cases.Result {
	t.Helper()
	guidelines := rules.Loaded{Guidelines: parse(t, "guidelines.yaml").Guidelines}
	set, err := evaluator.Compile(guidelines.Plain())
	if err != nil {
		t.Fatal(err)
	}
	return cases.Run(set, &toolcall.Env{}, parse(t, name).Cases)
}

func TestMetExpectationsPass(t *testing.T) {
	for _, r := range results(t, "pass.yaml") {
		if !r.Passed || len(r.Failures) > 0 {
			t.Errorf("%s: %s: %q", r.Case.Origin, r.Case.Name, r.Failures)
		}
	}
}

func TestEachFailureShowsExpectedAndActual(t *testing.T) {
	var b strings.Builder
	for _, r := range results(t, "fail.yaml") {
		fmt.Fprintf(&b, "%s: %s\n", r.Case.Origin, r.Case.Name)
		if r.Passed || len(r.Failures) == 0 {
			t.Errorf("%s: the case %s passes", r.Case.Origin, r.Case.Name)
		}
		for _, failure := range r.Failures {
			fmt.Fprintf(&b, "  %s\n", failure)
		}
	}
	golden.Check(t, *update, filepath.Join("testdata", "fail.golden"), b.String())
}

func TestFailureIsOneLineEvenForAMultiLineAnswer(t *testing.T) {
	guidelines, err := evaluator.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	list := []rules.Case{{Name: "n", Expect: rules.Expect{Includes: []string{"two\nlines"}}}}
	for _, r := range cases.Run(guidelines, nil, list) {
		if len(r.Failures) != 1 || strings.Contains(r.Failures[0], "\n") {
			t.Errorf("%q", r.Failures)
		}
	}
}
