package check

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/policy"
	"guardrails/rules"
)

func policiesCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "policies lint|test",
		Short: "Check and try the policies of the safety gate",
		Long: `Policies change verdicts of the safety gate. They are rules in .claude/guardrails-policies.yaml: when a
message or the facts about it match a condition, the actions of the rule change the verdict, fire an event or
add a note. docs/policies.md shows all conditions and actions.`,
		Example: `  guardrails policies lint
  echo '{"facts": {"message": "my ssn is on file"}}' | guardrails policies test`,
		Args: app.Args(1, 1, "use lint or test"),
		RunE: func(c *cobra.Command, args []string) error {
			return app.Usagef("%s: there is no command %s; use lint or test", c.CommandPath(), document.Excerpt(args[0]))
		},
	}
	c.AddCommand(policiesLintCommand(a), policiesTestCommand(a))
	return c
}

func policiesLintCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [FILE...]",
		Short: "Find mistakes in policy files",
		Long: `Lint reads policy files and reports every mistake with its line. Without a file, it reads the project's
file .claude/guardrails-policies.yaml. The exit code is 1 if there is a mistake.`,
		Example: `  guardrails policies lint
  guardrails policies lint policies.yaml -o json`,
		Args: app.Args(0, -1, "name policy files"),
		RunE: func(_ *cobra.Command, args []string) error { return runPoliciesLint(a, args) },
	}
}

// policyReport is the answer of policies lint.
type policyReport struct {
	Files    int               `json:"files"`
	Rules    int               `json:"rules"`
	Problems document.Problems `json:"problems"`
}

func runPoliciesLint(a *app.App, files []string) error {
	if len(files) == 0 {
		files = projectPolicies(a)
	}
	report := policyReport{Files: len(files), Problems: document.Problems{}}
	for _, file := range files {
		set, problems, err := readPolicies(a, file)
		if err != nil {
			return err
		}
		report.Rules += set.Rules()
		report.Problems = append(report.Problems, problems...)
	}
	if err := a.Answer(report, func(p *app.Printer) {
		for _, problem := range report.Problems {
			p.Line("%s", problem.Error())
		}
		p.Line("%s in force, %s", app.Count(report.Rules, "rule"), app.Count(len(report.Problems), "mistake"))
	}); err != nil {
		return err
	}
	if len(report.Problems) > 0 {
		return app.Exit(app.Failed)
	}
	return nil
}

// projectPolicies returns the path of the project's policy file. The list is empty if there is none.
func projectPolicies(a *app.App) []string {
	path := filepath.Join(a.ProjectRoot(a.Cwd), filepath.FromSlash(product.PoliciesFile))
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		a.Note("the project has no policy file " + product.PoliciesFile)
		return nil
	}
	return []string{path}
}

func readPolicies(a *app.App, file string) (*policy.Set, document.Problems, error) {
	text, shown, err := a.ReadInput(file)
	if err != nil {
		return nil, nil, err
	}
	set, problems := policy.Parse(shown, text, rules.ParseYAML)
	return set, problems, nil
}

func policiesTestCommand(a *app.App) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "test [FACTS|-]",
		Short: "Show what policies do with a verdict",
		Long: `Test applies policies to facts and shows the verdict, and why each rule did or did not apply. It fires no
event. The input is an object with the field facts, as JSON or YAML, from a file or stdin:

  message, stage (input or output), decision (PROCEED, HOLD or BLOCK), gate, flags, pii, tags, risk_score,
  mood, trust, interaction_count, since_last_seen (seconds), detected_emotions

A condition about a fact that is not there is unknown, and its rule does not apply. The policies are those of
the project or of --policies. If the input has the field rules, only these rules apply.`,
		Example: `  echo '{"facts": {"message": "my ssn is on file"}}' | guardrails policies test
  guardrails policies test facts.yaml --policies policies.yaml -o json`,
		Args: app.Args(0, 1, oneInput),
		RunE: func(_ *cobra.Command, args []string) error { return runPoliciesTest(a, args, file) },
	}
	c.Flags().StringVar(&file, "policies", "", "use the policies in this `FILE`")
	return c
}

func runPoliciesTest(a *app.App, args []string, file string) error {
	content, shown, err := input(a, args)
	if err != nil {
		return err
	}
	facts, set, problems := readTrial(shown, content)
	if set == nil && len(problems) == 0 {
		files := []string{file}
		if file == "" {
			files = projectPolicies(a)
		}
		for _, file := range files {
			if set, problems, err = readPolicies(a, file); err != nil {
				return err
			}
		}
	}
	if len(problems) > 0 {
		return app.Failf("%s", problems.Error())
	}
	var cooldowns policy.Cooldowns
	traced := set.Trace(facts, cooldowns.Sender("", "", time.Time{}, true))
	return a.Answer(traced, func(p *app.Printer) { printTrial(p, traced) })
}

// readTrial reads the input of policies test. The set is nil if the input has no rules.
func readTrial(shown string, content []byte) (*policy.Facts, *policy.Set, document.Problems) {
	trees, problems := rules.ParseYAML(shown, content)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	d := &document.Decoder{File: shown}
	var facts *policy.Facts
	var set *policy.Set
	d.Object(trees[0], "", []document.Spec{
		{Name: "facts", Required: true, Read: func(n *document.Node, path string) {
			var wrong document.Problems
			facts, wrong = policy.DecodeFacts(shown, n, path)
			d.Problems = append(d.Problems, wrong...)
		}},
		{Name: "rules", Read: func(n *document.Node, _ string) {
			var wrong document.Problems
			set, wrong = policy.DecodeRules(shown, n)
			d.Problems = append(d.Problems, wrong...)
		}},
	})
	return facts, set, d.Problems
}

func printTrial(p *app.Printer, t *policy.Traced) {
	p.Field("verdict", t.Action)
	if t.Override != nil {
		p.Field("changed by", fmt.Sprintf("%s, from %s to %s", t.Override.Rule, t.Override.From, t.Override.To))
	}
	p.Field("events", strings.Join(t.Events, "\n"))
	var notes []string
	for _, n := range t.Annotations {
		notes = append(notes, strings.TrimSpace(app.Flat(n.Tag+" "+n.Detail)))
	}
	p.Field("notes", strings.Join(notes, "\n"))
	if t.StoppedBy != nil {
		p.Field("stopped by", *t.StoppedBy)
	}
	var lines []string
	for _, rule := range t.Trace {
		lines = append(lines, rule.Rule+": "+applied(rule.Value))
		for _, step := range rule.Conditions {
			lines = append(lines, "  "+step.Path+" is "+step.Value)
		}
	}
	p.Field("rules", strings.Join(lines, "\n"))
}

// applied says whether a rule applied, from the value of its condition.
func applied(value string) string {
	switch value {
	case "true":
		return "applies"
	case "false":
		return "does not apply"
	}
	return "does not apply, because a fact is not known"
}
