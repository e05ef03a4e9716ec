package main

import (
	"fmt"
	"strings"

	"guardrails/store"
)

// importAnswer shows what became of each guideline; one that failed makes the command fail.
func (a *app) importAnswer(r *store.ImportResult) error {
	if err := a.answer(r, func(p *printer) { p.imported(r) }); err != nil {
		return err
	}
	if r.Count(store.ItemFailed) > 0 {
		return &outcome{code: failed}
	}
	return nil
}

func (p *printer) imported(r *store.ImportResult) {
	width := 0
	for i := range r.Items {
		width = max(width, len(r.Items[i].ID))
	}
	for i := range r.Items {
		item := &r.Items[i]
		shade, what := outcomeShade(item.Outcome), fmt.Sprintf("version %d", item.Version)
		if item.Outcome == store.ItemFailed {
			what = flat(item.Message)
		}
		p.line("%s  %-*s  %s", p.paint(shade, fmt.Sprintf("%-9s", item.Outcome)), width, item.ID, what)
	}
	p.line("%s", importSummary(r))
}

func outcomeShade(o store.Outcome) color {
	switch o {
	case store.ItemFailed:
		return red
	case store.ItemCreated, store.ItemUpdated:
		return green
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
	text := count(len(r.Items), "guideline")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if !r.Applied {
		text += "; nothing was changed"
	}
	return text
}
