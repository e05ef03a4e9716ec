package lint_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/internal/fortests/golden"
	"guardrails/rules"
	"guardrails/rules/lint"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// read() loads a file of test data, which must be valid.
func read(t *testing.T, name string) *rules.Loaded {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	file, problems := rules.Parse(name, text)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return &rules.Loaded{Guidelines: file.Guidelines}
}

func lines(findings []lint.Finding) string {
	var b strings.Builder
	for i := range findings {
		fmt.Fprintln(&b, findings[i].String())
	}
	return b.String()
}

// TestEachRuleReportsItsExamplesAndNoNearMisses reads one file for each rule. The rule must report each guideline
// whose id begins with "bad-". No rule may report a guideline whose id begins with "good-". The golden file has the
// expected messages.
func TestEachRuleReportsItsExamplesAndNoNearMisses(t *testing.T) {
	for _, rule := range lint.Rules() {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			loaded := read(t, rule+".yaml")
			findings := lint.Check(loaded, lint.Options{MaxInstruction: 200})
			for _, g := range loaded.Guidelines {
				checkFindings(t, rule, g.ID, findings)
			}
			golden.Check(t, *update, filepath.Join("testdata", rule+".golden"), lines(findings))
		})
	}
}

func checkFindings(t *testing.T, rule lint.Rule, id string, findings []lint.Finding) {
	t.Helper()
	of := func(f lint.Finding) bool { return f.ID == id }
	byRule := func(f lint.Finding) bool { return f.ID == id && f.Rule == rule }
	if strings.HasPrefix(id, "bad-") && !slices.ContainsFunc(findings, byRule) {
		t.Errorf("no finding for %s", id)
	}
	if i := slices.IndexFunc(findings, of); strings.HasPrefix(id, "good-") && i >= 0 {
		t.Errorf("a finding for a near miss: %s", &findings[i])
	}
}

func TestFindingsNamePositionAndRemedy(t *testing.T) {
	for _, rule := range lint.Rules() {
		for _, f := range lint.Check(read(t, rule+".yaml"), lint.Options{}) {
			if f.Origin.Line == 0 || f.Message == "" || f.Remedy == "" || strings.Contains(f.String(), "\n") {
				t.Errorf("incomplete: %+v", f)
			}
		}
	}
}

func TestFindingsAreInTheOrderOfTheFiles(t *testing.T) {
	loaded := read(t, "never-matches.yaml")
	want := lines(lint.Check(loaded, lint.Options{}))
	slices.Reverse(loaded.Guidelines)
	if got := lines(lint.Check(loaded, lint.Options{})); got != want {
		t.Errorf("the order of loading changes the findings:\n%s", got)
	}
}

func TestInstructionsThatAreTooLongTogetherAreFound(t *testing.T) {
	findings := lint.Check(crowded(7), lint.Options{MaxInstruction: 5000})
	golden.Check(t, *update, filepath.Join("testdata", "crowded.golden"), lines(findings))
	if few := lint.Check(crowded(2), lint.Options{MaxInstruction: 5000}); len(few) > 0 {
		t.Errorf("a few instructions are reported as too long:\n%s", lines(few))
	}
}

// crowded() returns guidelines with long instructions. The parameter "backend" is the number of guidelines for the
// agent "backend". There is one more guideline, for the agent "frontend". If backend is large, the instructions for the
// agent "backend" exceed the limit.
func crowded(backend int) *rules.Loaded {
	l := &rules.Loaded{}
	add := func(agent string, n int) {
		g := guideline.Guideline{
			ID: fmt.Sprintf("%s-%d", agent, n), Name: "n", Description: "d", Enabled: true, Priority: 500 - n,
			Condition: guideline.Condition{Agents: []string{agent}},
			Action:    guideline.Action{Type: guideline.Instruction, Instruction: fmt.Sprint(n) + strings.Repeat(" text", 300)},
		}
		l.Guidelines = append(l.Guidelines, rules.Source{Guideline: g, Origin: rules.Origin{File: "f.yaml", Line: len(l.Guidelines) + 1}})
	}
	for n := range backend {
		add("backend", n)
	}
	add("frontend", 0)
	return l
}

func TestPacksHaveNoFindings(t *testing.T) {
	all := &rules.Loaded{}
	for _, pack := range rules.Packs() {
		loaded, err := rules.Pack(pack.Name)
		if err != nil {
			t.Fatal(err)
		}
		all.Guidelines = append(all.Guidelines, loaded.Guidelines...)
		if findings := lint.Check(loaded, lint.Options{}); len(findings) > 0 {
			t.Errorf("%s:\n%s", pack.Name, lines(findings))
		}
	}
	if findings := lint.Check(all, lint.Options{}); len(findings) > 0 {
		t.Errorf("all packs together:\n%s", lines(findings))
	}
}

func TestEveryRuleIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "lint.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range lint.Rules() {
		if !strings.Contains(string(text), "`"+rule+"`") {
			t.Errorf("docs/lint.md does not describe %s", rule)
		}
	}
}
