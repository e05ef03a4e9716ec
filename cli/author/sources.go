package author

import (
	"errors"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/service/guidelinefiles"
)

func guidelineFlag(c *cobra.Command, into *[]string) {
	c.Flags().StringArrayVarP(into, "guidelines", "g", nil,
		"use these guidelines instead of the project's: `FILE`, folder or pack:NAME (repeatable)")
	app.Complete(c, "guidelines", func(string) ([]string, cobra.ShellCompDirective) {
		return app.PackSources(), cobra.ShellCompDirectiveDefault
	})
}

type layer struct{ service.Layered }

// ownSettings returns a copy of the settings with the values that apply to the layer's guidelines.
func (l *layer) ownSettings(settings *config.Config) *config.Config {
	own := *settings
	own.DefaultAgent, own.Domains, own.Environment = l.DefaultAgent, l.Domains, l.Environment
	return &own
}

// compiled() returns compiled layers of guidelines. If -g is given, there is only one layer, with the guidelines of -g.
// Otherwise there are all layers that apply in the project.
func compiled(a *app.App, c *cobra.Command, settings *config.Config, sources []string) ([]layer, error) {
	if len(sources) == 0 {
		return projectLayers(a, c)
	}
	loaded, err := load(a, settings, sources)
	if err != nil {
		return nil, err
	}
	set, err := evaluator.Compile(loaded.Plain())
	if err != nil {
		return nil, err
	}
	only := layer{service.Layered{Guidelines: loaded.Guidelines, Set: set}}
	only.DefaultAgent, only.Domains, only.Environment = settings.DefaultAgent, settings.Domains, settings.Environment
	return []layer{only}, nil
}

func projectLayers(a *app.App, c *cobra.Command) ([]layer, error) {
	s := a.Service()
	list, notices, err := s.Layers(c.Context(), a.ProjectRoot(a.Cwd))
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	for _, notice := range notices {
		a.Note(notice)
	}
	var out []layer
	for _, l := range list {
		out = append(out, layer{l})
	}
	return out, nil
}

// load() reads guidelines. It returns an error if any file has a problem, because results that are based on only some
// of the guidelines could be wrong.
func load(a *app.App, c *config.Config, sources []string) (*rules.Loaded, error) {
	loaded, err := readSources(a, c, sources)
	if err != nil {
		return nil, err
	}
	return loaded, loaded.Problems.Err()
}

// readSources reads the guidelines of -g. If -g is not given, it reads the project's packs and files. The result
// includes all problems that the guidelines have.
func readSources(a *app.App, c *config.Config, sources []string) (*rules.Loaded, error) {
	if len(sources) == 0 {
		return guidelinefiles.Read(a.ProjectRoot(a.Cwd), c), nil
	}
	return guidelinefiles.Load(sources...)
}
