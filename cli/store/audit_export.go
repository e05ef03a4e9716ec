package store

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/store/auditexport"
)

// The formats of an exported audit.
const (
	formatCSV   = "csv"
	formatLines = "jsonl"
)

func auditExportCommand(a *app.App) *cobra.Command {
	var f auditFlags
	var format string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the audit to stdout, the oldest entry first",
		Long: `Export writes all entries that match the filters to stdout, as CSV or as lines of JSON. In CSV, a cell that a
spreadsheet could take for a formula begins with an apostrophe. A line of JSON is exactly the text from which the
hash of the entry was made.`,
		Example: `  guardrails audit export --from 2026-02-01
  guardrails audit export --format jsonl`,
		Args: app.Args(0, 0, "it takes only flags and writes to stdout"),
		RunE: func(c *cobra.Command, _ []string) error { return auditExport(a, c, &f, format) },
	}
	f.add(a, c)
	c.Flags().StringVar(&format, "format", "", "csv or jsonl (default csv; jsonl with -o json)")
	app.CompleteFlag(c, "format", formatCSV, formatLines)
	return c
}

func auditExport(a *app.App, c *cobra.Command, f *auditFlags, format string) error {
	if err := app.OneOf(c, "format", format, []string{formatCSV, formatLines}); err != nil {
		return err
	}
	filter, err := f.filter(c)
	if err != nil {
		return err
	}
	write := auditexport.CSV
	if format == formatLines || format == "" && a.Format == app.JSON {
		write = auditexport.Lines
	}
	return withAudit(a, c, func(ctx context.Context, s *projectStore) error {
		out := bufio.NewWriterSize(a.Stdout, 1<<16)
		if err := write(out, s.Entries(ctx, filter)); err != nil {
			return fmt.Errorf("the output is incomplete: %w", err)
		}
		return app.WriteError(out.Flush())
	})
}
