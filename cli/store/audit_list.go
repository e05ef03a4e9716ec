package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/store"
)

func auditListCommand(a *app.App) *cobra.Command {
	var f auditFlags
	var paging store.Paging
	c := &cobra.Command{
		Use:   "list",
		Short: "Show entries of the audit, the newest first",
		Long: `List shows a page of the audit: changes with each field's old and new value, decisions with their reason. An entry is
shown when it passes every filter. A day begins at midnight UTC.`,
		Example: `  guardrails audit list
  guardrails audit list --actor dev --from 2026-02-01 --to 2026-03-01 -o json`,
		Args: app.Args(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return auditList(a, c, &f, paging) },
	}
	f.add(a, c)
	addPaging(c.Flags(), &paging)
	return c
}

// entryPage is a page of the audit.
type entryPage struct {
	Entries []store.Entry `json:"entries"`
	pageNumbers
}

func auditList(a *app.App, c *cobra.Command, f *auditFlags, paging store.Paging) error {
	filter, err := f.filter(c)
	if err != nil {
		return err
	}
	if _, err := paging.WithDefaults(); err != nil {
		return app.Usagef("%s: %v", c.CommandPath(), err)
	}
	return atAudit(a, c, func(ctx context.Context, b *book) error {
		page, err := b.Audit(ctx, store.AuditQuery{AuditFilter: filter, Paging: paging})
		if err != nil {
			return err
		}
		answer := entryPage{append([]store.Entry{}, page.Items...), numbers(&page)}
		return a.Answer(answer, func(p *app.Printer) { printEntries(p, &answer) })
	})
}

func printEntries(p *app.Printer, page *entryPage) {
	for i := range page.Entries {
		printEntry(p, &page.Entries[i])
	}
	p.Line("%s", pageText(page.pageNumbers, entries(int64(page.Total))))
}

func printEntry(p *app.Printer, e *store.Entry) {
	about := ""
	if e.Guideline != "" {
		about = "  " + p.Paint(app.Bold, app.Flat(e.Guideline))
	}
	if e.Version > 0 {
		about += fmt.Sprintf(" v%d", e.Version)
	}
	if e.Session != "" {
		about += "  session " + app.Flat(e.Session)
	}
	p.Line("%s  %-18s  %s%s", moment(e.Time), app.Flat(e.Event), app.Flat(e.Actor), about)
	if d := e.Decision; d != nil {
		p.Line("    %s", strings.TrimRight(p.Paint(resultShade(d.Result), app.Flat(d.Result))+" "+app.Flat(d.Tool)+"  "+app.Flat(d.Reason), " "))
	}
	if e.Pruning != nil {
		p.Line("    decisions of %s up to entry %d were given up", app.Flat(e.Pruning.Writer), e.Pruning.Seq)
	}
	// All of a guideline that was made or removed is new or gone: its history shows it.
	if isWhole(e.Changes) {
		return
	}
	for _, c := range e.Changes {
		p.Line("    %s: %s -> %s", app.Flat(c.Field), valueText(c.Old), valueText(c.New))
	}
}

// isWhole reports whether changes made or removed a whole guideline: then each of them lacks the same side.
func isWhole(changes []store.FieldChange) bool {
	hadNone := !slices.ContainsFunc(changes, func(c store.FieldChange) bool { return len(c.Old) > 0 })
	hasNone := !slices.ContainsFunc(changes, func(c store.FieldChange) bool { return len(c.New) > 0 })
	return len(changes) > 1 && (hadNone || hasNone)
}

func resultShade(result string) app.Color {
	switch result {
	case "deny", "rejected":
		return app.Red
	case "ask", "warn":
		return app.Yellow
	}
	return app.Green
}

// maxValue is how much of a value is shown on a line.
const maxValue = 120

func valueText(value []byte) string {
	if len(value) == 0 {
		return "(none)"
	}
	text := []rune(app.Flat(string(value)))
	if len(text) > maxValue {
		return string(text[:maxValue]) + "…"
	}
	return string(text)
}
