package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/rules"
	"guardrails/service/files"
)

func guidelineFlag(c *cobra.Command, into *[]string) {
	c.Flags().StringArrayVarP(into, "guidelines", "g", nil,
		"use these guidelines instead of the project's: `FILE`, folder or pack:NAME (repeatable)")
	app.Complete(c, "guidelines", func(string) ([]string, cobra.ShellCompDirective) {
		return app.PackSources(), cobra.ShellCompDirectiveDefault
	})
}

// compiled compiles the guidelines of -g, or all guidelines that apply in the project.
func compiled(a *app.App, c *cobra.Command, settings *config.Config, sources []string) (*evaluator.Set, error) {
	if len(sources) > 0 {
		loaded, err := load(a, settings, sources)
		if err != nil {
			return nil, err
		}
		return evaluator.Compile(loaded.Plain())
	}
	all, notices, err := a.Service().Guidelines(c.Context(), a.ProjectRoot(a.Cwd), settings)
	if err != nil {
		return nil, err
	}
	for _, notice := range notices {
		a.Note(notice)
	}
	return evaluator.Compile((&rules.Loaded{Guidelines: all}).Plain())
}

// load reads guidelines. A problem in any file is an error, because an incomplete set could give wrong answers.
func load(a *app.App, c *config.Config, sources []string) (*rules.Loaded, error) {
	loaded, err := readSources(a, c, sources)
	if err != nil {
		return nil, err
	}
	return loaded, loaded.Problems.Err()
}

// readSources reads the guidelines of -g, or the project's packs and files, and returns all problems with them.
func readSources(a *app.App, c *config.Config, sources []string) (*rules.Loaded, error) {
	if len(sources) == 0 {
		return files.Read(a.ProjectRoot(a.Cwd), c), nil
	}
	return files.Load(sources...)
}
