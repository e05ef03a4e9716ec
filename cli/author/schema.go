package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/rules"
)

func schemaCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Write the JSON Schema of guideline files",
		Long: `Schema writes the JSON Schema (draft 2020-12) of guideline files. Editors use it for completion and
checks. Save the schema, and name its file in the first line of a YAML file:

  # yaml-language-server: $schema=guideline.schema.json`,
		Example: "  guardrails schema",
		Args:    app.Args(0, 0, "it takes no arguments"),
		RunE:    func(*cobra.Command, []string) error { return a.Print(rules.Schema()) },
	}
}
