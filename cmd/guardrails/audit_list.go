package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/store"
)

func (a *app) auditListCommand() *cobra.Command {
	var f auditFlags
	var paging store.Paging
	c := &cobra.Command{
		Use:   "list",
		Short: "Show entries of the audit, the newest first",
		Long: `List shows a page of the audit: changes with each field's old and new value, decisions with their reason. An entry is
shown when it passes every filter. A day begins at midnight UTC.`,
		Example: `  guardrails audit list
  guardrails audit list --actor dev --from 2026-02-01 --to 2026-03-01 -o json`,
		Args: arguments(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return a.auditList(c, &f, paging) },
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

func (a *app) auditList(c *cobra.Command, f *auditFlags, paging store.Paging) error {
	filter, err := f.filter(c)
	if err != nil {
		return err
	}
	if _, err := paging.WithDefaults(); err != nil {
		return usageError("%s: %v", c.CommandPath(), err)
	}
	return a.atAudit(c, func(ctx context.Context, b *book) error {
		page, err := b.Audit(ctx, store.AuditQuery{AuditFilter: filter, Paging: paging})
		if err != nil {
			return err
		}
		answer := entryPage{append([]store.Entry{}, page.Items...), numbers(&page)}
		return a.answer(answer, func(p *printer) { p.entries(&answer) })
	})
}

func (p *printer) entries(page *entryPage) {
	for i := range page.Entries {
		p.entry(&page.Entries[i])
	}
	p.line("%s", pageText(page.pageNumbers, entries(int64(page.Total))))
}

func (p *printer) entry(e *store.Entry) {
	about := ""
	if e.Guideline != "" {
		about = "  " + p.paint(bold, flat(e.Guideline))
	}
	if e.Version > 0 {
		about += fmt.Sprintf(" v%d", e.Version)
	}
	if e.Session != "" {
		about += "  session " + flat(e.Session)
	}
	p.line("%s  %-18s  %s%s", moment(e.Time), flat(e.Event), flat(e.Actor), about)
	if d := e.Decision; d != nil {
		p.line("    %s", strings.TrimRight(p.paint(resultShade(d.Result), flat(d.Result))+" "+flat(d.Tool)+"  "+flat(d.Reason), " "))
	}
	if e.Pruning != nil {
		p.line("    decisions of %s up to entry %d were given up", flat(e.Pruning.Writer), e.Pruning.Seq)
	}
	// All of a guideline that was made or removed is new or gone: its history shows it.
	if isWhole(e.Changes) {
		return
	}
	for _, c := range e.Changes {
		p.line("    %s: %s -> %s", flat(c.Field), valueText(c.Old), valueText(c.New))
	}
}

// isWhole reports whether changes made or removed a whole guideline: then each of them lacks the same side.
func isWhole(changes []store.FieldChange) bool {
	hadNone := !slices.ContainsFunc(changes, func(c store.FieldChange) bool { return len(c.Old) > 0 })
	hasNone := !slices.ContainsFunc(changes, func(c store.FieldChange) bool { return len(c.New) > 0 })
	return len(changes) > 1 && (hadNone || hasNone)
}

func resultShade(result string) color {
	switch result {
	case "deny", "rejected":
		return red
	case "ask", "warn":
		return yellow
	}
	return green
}

// maxValue is how much of a value is shown on a line.
const maxValue = 120

func valueText(value []byte) string {
	if len(value) == 0 {
		return "(none)"
	}
	text := []rune(flat(string(value)))
	if len(text) > maxValue {
		return string(text[:maxValue]) + "…"
	}
	return string(text)
}
