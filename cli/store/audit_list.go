package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/store"
)

func auditListCommand(a *app.App) *cobra.Command {
	var f auditFlags
	var paging store.Paging
	c := &cobra.Command{
		Use:   "list",
		Short: "Show entries of the audit, the newest first",
		Long: `List shows a page of the audit: changes with the old and the new value of each field, and decisions
with their reason. It shows the entries that match all filters. A day begins at midnight UTC.`,
		Example: `  guardrails audit list
  guardrails audit list --actor dev --from 2026-02-01 --to 2026-03-01 -o json`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return auditList(a, c, &f, paging) },
	}
	f.add(a, c)
	addPaging(c.Flags(), &paging, "entries")
	return c
}

type entryPage struct {
	Entries []store.Entry `json:"entries"`
	pageNumbers
}

func auditList(a *app.App, c *cobra.Command, f *auditFlags, paging store.Paging) error {
	filter, err := f.filter(c)
	if err != nil {
		return err
	}
	if err := checkPaging(c, &paging); err != nil {
		return err
	}
	return withAudit(a, c, func(ctx context.Context, s *projectStore) error {
		page, err := s.Audit(ctx, store.AuditQuery{AuditFilter: filter, Paging: paging})
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
	printPages(p, page.pageNumbers, "entry")
}

func printEntry(p *app.Printer, e *store.Entry) {
	p.Line("%s  %-18s  %s%s", formatTime(e.Time), app.Flat(e.Event), app.Flat(e.Actor), subject(p, e))
	if d := e.Decision; d != nil {
		line := p.Paint(resultColor(d.Result), app.Flat(d.Result)) + " " + app.Flat(d.Tool) + "  " + app.Flat(d.Reason)
		p.Line("    %s", strings.TrimRight(line, " "))
	}
	if e.Pruning != nil {
		p.Line("    removed decisions of %s up to entry %d", app.Flat(e.Pruning.Writer), e.Pruning.Seq)
	}
	// If the entry is about a guideline that was created or deleted, every field has changed. The list then omits the
	// fields. The guideline's history shows them.
	if isWhole(e.Changes) {
		return
	}
	for _, c := range e.Changes {
		p.Line("    %s: %s -> %s", app.Flat(c.Field), valueText(c.Old), valueText(c.New))
	}
}

// subject() describes the subject of an entry: a guideline, its version and the session.
func subject(p *app.Printer, e *store.Entry) string {
	var out string
	if e.Guideline != "" {
		out = "  " + p.Paint(app.Bold, app.Flat(e.Guideline))
	}
	if e.Version > 0 {
		out += fmt.Sprintf(" v%d", e.Version)
	}
	if e.Session != "" {
		out += "  session " + app.Flat(e.Session)
	}
	return out
}

// isWhole reports whether the changes created or deleted a whole guideline. In that case, either no change has an old
// value, or no change has a new value.
func isWhole(changes []store.FieldChange) bool {
	noOld := !slices.ContainsFunc(changes, func(c store.FieldChange) bool { return len(c.Old) > 0 })
	noNew := !slices.ContainsFunc(changes, func(c store.FieldChange) bool { return len(c.New) > 0 })
	return len(changes) > 1 && (noOld || noNew)
}

func resultColor(result string) app.Color {
	switch result {
	case "deny", "rejected":
		return app.Red
	case "ask", "warn":
		return app.Yellow
	}
	return app.Green
}

// maxValue is the largest number of characters of a value that are shown.
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
