package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/rules"
	"guardrails/service/guidelinefiles"
	"guardrails/service/packcopies"
)

func packsCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "packs [NAME]",
		Short: "List the built-in packs of guidelines, or show one",
		Long: `Packs lists the packs of guidelines that come with the program: their versions, whether the project uses
them, and which of their guidelines somebody changed in the store. With a name it writes that pack as YAML, or
as JSON with -o json. You can save the YAML, change it and use it as a guideline file of your project.

The guidelines of a pack are a part of the program: a new version of the program brings their new text. The
store contains only the guidelines that somebody changed. "packs diff" shows what was changed, and
"packs update --take" goes back to the text of the pack.`,
		Example: `  guardrails packs
  guardrails packs core`,
		Args: app.Args(0, 1, "name one pack"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return app.Packs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return showPack(a, args[0])
			}
			return listPacks(a, c)
		},
	}
	c.AddCommand(packsDiffCommand(a), packsUpdateCommand(a))
	return c
}

type packEntry struct {
	rules.PackInfo
	Guidelines int `json:"guidelines"`
	// Layers lists the layers that use the pack. If the list is empty, the pack does not apply.
	Layers []string `json:"layers"`
	// The field "Changed" lists those guidelines of the pack that were changed in the store. Outdated lists the ids of
	// unchanged copies with an older text. The text of the pack applies instead of these copies.
	Changed  []packcopies.Copy `json:"changed"`
	Outdated []string          `json:"outdated"`
}

func listPacks(a *app.App, c *cobra.Command) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	copies := &packcopies.Copies{}
	if settings.Server == nil {
		err = withStore(a, c, mayBeAbsent, func(ctx context.Context, s *projectStore) (err error) {
			if s != nil {
				copies, err = packcopies.Compare(ctx, s.TenantStore)
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	list, err := packEntries(a, settings, copies)
	if err != nil {
		return err
	}
	return a.Answer(list, func(p *app.Printer) { printPacks(p, list) })
}

func packEntries(a *app.App, settings *config.Config, copies *packcopies.Copies) ([]packEntry, error) {
	layers := packLayers(a, settings)
	var list []packEntry
	for _, info := range rules.Packs() {
		loaded, err := rules.Pack(info.Name)
		if err != nil {
			return nil, err
		}
		e := packEntry{
			PackInfo: info, Guidelines: len(loaded.Guidelines), Layers: append([]string{}, layers[info.Name]...),
			Changed: []packcopies.Copy{}, Outdated: []string{},
		}
		for i := range copies.Changed {
			if copies.Changed[i].Pack == info.Name {
				e.Changed = append(e.Changed, copies.Changed[i])
			}
		}
		for _, o := range copies.Outdated {
			if o.Pack == info.Name {
				e.Outdated = append(e.Outdated, o.ID)
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// packLayers returns the layers that use each pack in the current project.
func packLayers(a *app.App, settings *config.Config) map[string][]string {
	root := a.ProjectRoot(a.Cwd)
	places := config.PlacesOf(root, a.Env)
	return guidelinefiles.PacksInForce(root, settings, &places)
}

func printPacks(p *app.Printer, list []packEntry) {
	for i := range list {
		e := &list[i]
		state := p.Paint(app.Yellow, "not used")
		if len(e.Layers) > 0 {
			state = p.Paint(app.Green, "in force") + " for the " + strings.Join(e.Layers, " and the ")
		}
		p.Line("%s version %d, %s: %s (%s)", p.Paint(app.Bold, fmt.Sprintf("%-6s", e.Name)), e.Version, state,
			app.Count(e.Guidelines, "guideline"), e.Description)
		for n := range e.Changed {
			p.Line("         %s: %s", e.Changed[n].ID, e.Changed[n].Text())
		}
		if len(e.Outdated) > 0 {
			p.Line("         the store has older texts of the following guidelines, but the texts of the pack apply: %s",
				strings.Join(e.Outdated, ", "))
		}
	}
}

func showPack(a *app.App, name string) error {
	source, err := rules.PackSource(name)
	if err != nil {
		return app.Usagef("guardrails packs: %v", err)
	}
	if a.Format == app.Text {
		return a.Print(source)
	}
	loaded, err := rules.Pack(name)
	if err != nil {
		return err
	}
	return a.Answer(map[string]any{"guidelines": loaded.Plain()}, nil)
}
