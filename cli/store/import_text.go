package store

import (
	"fmt"
	"strings"

	"guardrails/cli/app"

	"guardrails/store"
)

// importAnswer shows what became of each guideline; one that failed makes the command fail.
func importAnswer(a *app.App, r *store.ImportResult) error {
	if err := a.Answer(r, func(p *app.Printer) { printImported(p, r) }); err != nil {
		return err
	}
	if r.Count(store.ItemFailed) > 0 {
		return app.Exit(app.Failed)
	}
	return nil
}

func printImported(p *app.Printer, r *store.ImportResult) {
	width := 0
	for i := range r.Items {
		width = max(width, len(r.Items[i].ID))
	}
	for i := range r.Items {
		item := &r.Items[i]
		shade, what := outcomeShade(item.Outcome), fmt.Sprintf("version %d", item.Version)
		if item.Outcome == store.ItemFailed {
			what = app.Flat(item.Message)
		}
		p.Line("%s  %-*s  %s", p.Paint(shade, fmt.Sprintf("%-9s", item.Outcome)), width, item.ID, what)
	}
	p.Line("%s", importSummary(r))
}

func outcomeShade(o store.Outcome) app.Color {
	switch o {
	case store.ItemFailed:
		return app.Red
	case store.ItemCreated, store.ItemUpdated:
		return app.Green
	}
	return ""
}

// importSummary counts what was done, or would be.
func importSummary(r *store.ImportResult) string {
	var parts []string
	for _, o := range []store.Outcome{store.ItemCreated, store.ItemUpdated, store.ItemUnchanged, store.ItemSkipped, store.ItemFailed} {
		if n := r.Count(o); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	text := app.Count(len(r.Items), "guideline")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if !r.Applied {
		text += "; nothing was changed"
	}
	return text
}
