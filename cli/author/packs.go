package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/rules"
)

func packsCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "packs [NAME]",
		Short: "List the built-in guideline packs, or show one",
		Long: `Packs lists the guideline packs that come with the program. With a name it writes that pack as YAML,
or as JSON with -o json. You can save the YAML, change it and use it as a guideline file of your project.`,
		Example: `  guardrails packs
  guardrails packs core`,
		Args: app.Args(0, 1, "name one pack"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return app.Packs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return showPack(a, args[0])
			}
			return listPacks(a)
		},
	}
}

// packEntry is one pack in the list.
type packEntry struct {
	rules.PackInfo
	Guidelines int `json:"guidelines"`
}

func listPacks(a *app.App) error {
	var list []packEntry
	for _, info := range rules.Packs() {
		loaded, err := rules.Pack(info.Name)
		if err != nil {
			return err
		}
		list = append(list, packEntry{info, len(loaded.Guidelines)})
	}
	return a.Answer(list, func(p *app.Printer) {
		for _, e := range list {
			p.Line("%-8s %s  %s", p.Paint(app.Bold, e.Name), app.Count(e.Guidelines, "guideline"), e.Description)
		}
	})
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
