package main

import (
	"github.com/spf13/cobra"

	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/rules"
	"guardrails/service"
)

func (a *app) guidelineFlag(c *cobra.Command, into *[]string) {
	c.Flags().StringArrayVarP(into, "guidelines", "g", nil, "guidelines to use instead of the project's: `FILE`, folder or pack:NAME (repeatable)")
	complete(c, "guidelines", func(string) ([]string, cobra.ShellCompDirective) {
		return packSources(), cobra.ShellCompDirectiveDefault
	})
}

func packSources() []string {
	var out []string
	for _, p := range rules.Packs() {
		out = append(out, service.PackPrefix+p.Name+"\t"+p.Description)
	}
	return out
}

// compiled reads and compiles what -g names, or everything that holds in the project.
func (a *app) compiled(c *cobra.Command, settings *config.Config, sources []string) (*evaluator.Set, error) {
	if len(sources) > 0 {
		loaded, err := a.loaded(settings, sources)
		if err != nil {
			return nil, err
		}
		return evaluator.Compile(loaded.Plain())
	}
	all, notices, err := a.service().Guidelines(c.Context(), a.projectRoot(a.cwd), settings)
	if err != nil {
		return nil, err
	}
	for _, notice := range notices {
		a.remark(notice)
	}
	return evaluator.Compile((&rules.Loaded{Guidelines: all}).Plain())
}

// loaded reads guidelines; a problem in any file is an error, because part of a set is not what its author wrote.
func (a *app) loaded(c *config.Config, sources []string) (*rules.Loaded, error) {
	loaded, err := a.readSources(c, sources)
	if err != nil {
		return nil, err
	}
	return loaded, loaded.Problems.Err()
}

// readSources reads what -g names, or the project's packs and files, with all problems.
func (a *app) readSources(c *config.Config, sources []string) (*rules.Loaded, error) {
	if len(sources) == 0 {
		return service.Files(a.projectRoot(a.cwd), c), nil
	}
	return service.Load(sources...)
}
