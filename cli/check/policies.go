package check

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/service/policyfile"
)

func policiesCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "policies show|lint|test",
		Short: "Check and try the policies of the safety gate",
		Long: `Policies change verdicts of the safety gate. They are rules in .claude/guardrails-policies.yaml: when a
message or the facts about it match a condition, the actions of the rule change the verdict, fire an event or
add a note. docs/policies.md shows all conditions and actions.`,
		Example: `  guardrails policies lint
  echo '{"facts": {"message": "my ssn is on file"}}' | guardrails policies test`,
		Args: app.Args(1, 1, "use show, lint or test"),
		RunE: func(c *cobra.Command, args []string) error {
			return app.Usagef("%s: there is no command %s; use show, lint or test", c.CommandPath(), document.Excerpt(args[0]))
		},
	}
	c.AddCommand(policiesShowCommand(a), policiesLintCommand(a), policiesTestCommand(a))
	return c
}

func policiesLintCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [FILE...]",
		Short: "Find mistakes in policy files",
		Long: `Lint reports every mistake in policy files with its line. It also reports conditions that can never be true, because
guardrails never reports the flag, gate or kind of personal data that they name. Without a file, it reads the file
that the settings name; the default is .claude/guardrails-policies.yaml. The exit code is 1 if there is a mistake.`,
		Example: `  guardrails policies lint
  guardrails policies lint policies.yaml -o json`,
		Args: app.Args(0, -1, "name policy files"),
		RunE: func(c *cobra.Command, args []string) error { return runPoliciesLint(c, a, args) },
	}
}

func runPoliciesLint(c *cobra.Command, a *app.App, files []string) error {
	if len(files) == 0 {
		var err error
		if files, err = projectPolicies(c, a); err != nil {
			return err
		}
	}
	report := policyfile.Report{Problems: document.Problems{}}
	for _, file := range files {
		text, shown, err := a.ReadInput(file)
		if err != nil {
			return err
		}
		report.Add(shown, text)
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

// projectPolicies returns the path of the policy file in the settings, as a list. The list is empty if there is no
// file.
func projectPolicies(c *cobra.Command, a *app.App) ([]string, error) {
	found, err := policiesInForce(c, a)
	if err != nil {
		return nil, err
	}
	if found.State == service.PoliciesNone {
		a.Note("the project has no policy file " + document.Printable(found.Source))
		return nil, nil
	}
	return []string{found.Path()}, nil
}

func policiesInForce(c *cobra.Command, a *app.App) (*service.Policies, error) {
	s := a.Service()
	defer func() { _ = s.Close() }() // an error of Close does not matter after reading
	return s.PoliciesInForce(c.Context(), a.ProjectRoot(a.Cwd))
}

func policiesShowCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show which policies are in force",
		Long: `Show prints the path of the policy file from the settings, the rules of the file in the order in which they run,
and what is wrong with the file. The state is "none" (there is no file), "in_force", "last_good" (the file has a
mistake, and a running server uses the rules from before the mistake) or "broken" (no rule applies).`,
		Example: "  guardrails policies show\n  guardrails policies show -o json",
		Args:    app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			found, err := policiesInForce(c, a)
			if err != nil {
				return err
			}
			return a.Answer(found, func(p *app.Printer) { printPolicies(p, document.Printable(found.Source), found) })
		},
	}
}

func printPolicies(p *app.Printer, shown string, found *service.Policies) {
	p.Field("mode", found.Mode)
	p.Field("file", shown)
	p.Field("state", found.State)
	var rules []string
	for _, rule := range found.Rules {
		rules = append(rules, fmt.Sprintf("%s (priority %d): %s", rule.Name, rule.Priority, strings.Join(rule.Actions, ", ")))
	}
	p.Field("rules", strings.Join(rules, "\n"))
	p.Field("notices", strings.Join(found.Notices, "\n"))
}

func policiesTestCommand(a *app.App) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "test [FACTS|-]",
		Short: "Show what policies do with a verdict",
		Long: `Test applies policies to facts and shows the verdict, and why each rule did or did not apply. Test fires no
event. The input is an object with the field "facts", as JSON or YAML, from a file or stdin. The facts are:

  message, stage (input or output), decision (PROCEED, HOLD or BLOCK), gate, flags, pii, tags, risk_score,
  mood, trust, interaction_count, since_last_seen (seconds), detected_emotions

A condition about a missing fact is unknown, and its rule does not apply. The policies are those of the project
or of --policies. If the input has the field "rules", only the rules in this field apply.`,
		Example: `  echo '{"facts": {"message": "my ssn is on file"}}' | guardrails policies test
  guardrails policies test facts.yaml --policies policies.yaml -o json`,
		Args: app.Args(0, 1, oneInput),
		RunE: func(c *cobra.Command, args []string) error { return runPoliciesTest(c, a, args, file) },
	}
	c.Flags().StringVar(&file, "policies", "", "use the policies in this `FILE`")
	return c
}

func runPoliciesTest(c *cobra.Command, a *app.App, args []string, file string) error {
	content, shown, err := input(a, args)
	if err != nil {
		return err
	}
	facts, set, problems := policy.ParseTrial(shown, content, rules.ParseYAML)
	if set == nil && len(problems) == 0 {
		files := []string{file}
		if file == "" {
			if files, err = projectPolicies(c, a); err != nil {
				return err
			}
		}
		for _, file := range files {
			text, shown, err := a.ReadInput(file)
			if err != nil {
				return err
			}
			set, problems = policy.Parse(shown, text, rules.ParseYAML)
		}
	}
	if len(problems) > 0 {
		return app.Failf("%s", problems.Error())
	}
	traced := set.Try(facts)
	return a.Answer(traced, func(p *app.Printer) { printTrial(p, traced) })
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

// applied() says in words whether a rule applies. The parameter is the value of the rule's condition.
func applied(value string) string {
	switch value {
	case "true":
		return "applies"
	case "false":
		return "does not apply"
	}
	return "does not apply, because a fact is not known"
}
