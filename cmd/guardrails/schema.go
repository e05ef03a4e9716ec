package main

import (
	"github.com/spf13/cobra"

	"guardrails/rules"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Write the JSON Schema of guideline files",
		Long: `Schema writes the JSON Schema (draft 2020-12) of guideline files, for editors that complete and check them. Name it in
a YAML file's first line: # yaml-language-server: $schema=guideline.schema.json`,
		Example: "  guardrails schema",
		Args:    arguments(0, 0, "it takes none"),
		RunE:    func(*cobra.Command, []string) error { return a.print(rules.Schema()) },
	}
}
