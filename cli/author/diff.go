package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/decide/compare"
	"guardrails/evaluator"
	"guardrails/rules"
	"guardrails/service"
)

func diffCommand(a *app.App) *cobra.Command {
	var file string
	var exitCode bool
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare what two sets of guidelines do",
		Long: `Diff evaluates the same contexts and tool calls with two sets of guidelines and shows the
differences: guidelines that start or stop applying, and tools, gates, limits and decisions that change. Each
set is a file, a folder or pack:NAME.

The contexts and calls come from the cases of both sets, and from the agents, domains, actions, events, paths
and patterns that the guidelines name, 5,000 at most. With --contexts, you give your own list: each item has a
context, or a tool with its command, path or input.`,
		Example: `  guardrails diff old.yaml new.yaml
  guardrails diff pack:core guidelines.yaml --contexts contexts.yaml
  guardrails diff old.yaml old.yaml --exit-code`,
		Args: app.Args(2, 2, "give the old guidelines and the new ones"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runDiff(a, args[0], args[1], file, exitCode)
		},
		ValidArgsFunction: app.GuidelineFiles,
	}
	c.Flags().StringVar(&file, "contexts", "",
		"compare the contexts and calls of this `FILE`, YAML or JSON; - reads JSON from stdin")
	c.Flags().BoolVar(&exitCode, "exit-code", false, "end with exit code 1 if anything differs")
	return c
}

func runDiff(a *app.App, oldSource, newSource, file string, exitCode bool) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	before, err := readSide(a, settings, oldSource)
	if err != nil {
		return err
	}
	after, err := readSide(a, settings, newSource)
	if err != nil {
		return err
	}
	questions, truncated, err := readQuestions(a, settings, file, before.Loaded, after.Loaded)
	if err != nil {
		return err
	}
	result := compare.Run(before.set, after.set, questions)
	result.Truncated = truncated
	if err := a.Answer(result, func(p *app.Printer) { p.WriteString(result.Text(painter(p))) }); err != nil {
		return err
	}
	if exitCode && result.Differ() {
		return app.Exit(app.Failed)
	}
	return nil
}

// The type "side" is one of the two sets of guidelines that are compared.
type side struct {
	*rules.Loaded
	set *compare.Set
}

func readSide(a *app.App, settings *config.Config, source string) (*side, error) {
	loaded, err := load(a, settings, []string{source})
	if err != nil {
		return nil, err
	}
	set, err := evaluator.Compile(loaded.Plain())
	return &side{loaded, &compare.Set{Guidelines: loaded.Guidelines, Compiled: set}}, err
}

func readQuestions(
	a *app.App, settings *config.Config, file string, before, after *rules.Loaded,
) (list []compare.Question, truncated bool, err error) {
	if file == "" {
		list, truncated = compare.Derive(service.Metadata(settings, nil), before, after)
		return list, truncated, nil
	}
	raw, name, err := a.ReadInput(file)
	if err != nil {
		return nil, false, err
	}
	list, problems := compare.ParseQuestions(name, raw)
	return list, false, problems.Err()
}
