package store

import (
	"bufio"
	"context"
	"fmt"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/store/table"
)

// The formats of an exported audit.
const (
	asCSV   = "csv"
	asLines = "jsonl"
)

func auditExportCommand(a *app.App) *cobra.Command {
	var f auditFlags
	var form string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the audit for other programs, the oldest entry first",
		Long: `Export writes every entry that passes the filters to stdout, however many there are: as CSV for spreadsheets, in which no
cell is taken for a formula, or as lines of JSON. In those each line is the text that the entry's hash was made of.`,
		Example: `  guardrails audit export --from 2026-02-01
  guardrails audit export --format jsonl`,
		Args: app.Args(0, 0, "it takes flags only, and writes to stdout"),
		RunE: func(c *cobra.Command, _ []string) error { return auditExport(a, c, &f, form) },
	}
	f.add(a, c)
	c.Flags().StringVar(&form, "format", "", "csv or jsonl (default: csv, with -o json jsonl)")
	app.CompleteFlag(c, "format", asCSV, asLines)
	return c
}

func auditExport(a *app.App, c *cobra.Command, f *auditFlags, form string) error {
	if err := app.OneOf(c, "format", form, []string{asCSV, asLines}); err != nil {
		return err
	}
	filter, err := f.filter(c)
	if err != nil {
		return err
	}
	write := table.CSV
	if form == asLines || form == "" && a.Format == app.JSON {
		write = table.Lines
	}
	return atAudit(a, c, func(ctx context.Context, b *book) error {
		out := bufio.NewWriterSize(a.Stdout, 1<<16)
		if err := write(out, b.Entries(ctx, filter)); err != nil {
			return fmt.Errorf("what was written is not everything: %w", err)
		}
		return app.WriteError(out.Flush())
	})
}
