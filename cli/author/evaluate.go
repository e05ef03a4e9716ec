package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

func evaluateCommand(a *app.App) *cobra.Command {
	var f queryFlags
	var sources []string
	var explain bool
	c := &cobra.Command{
		Use:   "evaluate",
		Short: "Show which guidelines hold in a context and what they say together",
		Long: `Evaluate answers which guidelines hold for a task: who acts, on what, on which paths, at which event. It shows what
they say together: instructions, tools allowed and denied, gates and constraints.

What is not given is absent, and a guideline that asks for it does not hold. What is called unknown may still turn
out either way: such guidelines are listed with the part of their condition that is open.`,
		Example: `  guardrails evaluate --agent backend
  guardrails evaluate -g pack:roles --agent backend --action implement --path src/core/a.go
  guardrails evaluate --event commit --path contracts/api.json -o json
  guardrails evaluate --agent backend --unknown paths,event --explain
  echo '{"agent": "backend", "event": "merge"}' | guardrails evaluate --context -`,
		Args: app.Args(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error {
			return runEvaluate(a, c, &f, sources, explain)
		},
	}
	guidelineFlag(a, c, &sources)
	f.add(a, c, &sources)
	c.Flags().BoolVar(&explain, "explain", false, "also say why each guideline holds or does not")
	return c
}

func runEvaluate(a *app.App, c *cobra.Command, f *queryFlags, sources []string, explain bool) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	query, err := f.query(a, c, settings)
	if err != nil {
		return err
	}
	set, err := compiled(a, c, settings, sources)
	if err != nil {
		return err
	}
	noteSlips(a, set, query)
	result := set.Evaluate(query)
	if explain {
		result.Explanation = set.Explain(query)
	}
	return a.Answer(result, func(p *app.Printer) { printEvaluation(p, query, result) })
}
