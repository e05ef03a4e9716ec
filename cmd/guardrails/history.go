package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/store"
)

func (a *app) historyCommand() *cobra.Command {
	var paging store.Paging
	c := &cobra.Command{
		Use:   "history ID",
		Short: "Show every version of a guideline, the newest first",
		Long: `History shows when and by whom each version of a guideline was made, also of one that was deleted. With -o json each
version stands there as it was. "guardrails audit list --guideline ID" shows what each change changed.`,
		Example: `  guardrails history no-push
  guardrails history no-push -o json`,
		Args:              arguments(1, 1, "name one guideline"),
		ValidArgsFunction: a.completeIDs,
		RunE:              func(c *cobra.Command, args []string) error { return a.history(c, args[0], paging) },
	}
	addPaging(c.Flags(), &paging)
	return c
}

// revisionPage is a page of a guideline's versions.
type revisionPage struct {
	Revisions []store.Revision `json:"revisions"`
	pageNumbers
}

func (a *app) history(c *cobra.Command, id string, paging store.Paging) error {
	if _, err := paging.WithDefaults(); err != nil {
		return usageError("%s: %v", c.CommandPath(), err)
	}
	return a.atStore(c, isError, func(ctx context.Context, b *book) error {
		page, err := b.History(ctx, id, paging)
		if err != nil {
			return err
		}
		answer := revisionPage{append([]store.Revision{}, page.Items...), numbers(&page)}
		return a.answer(answer, func(p *printer) { p.revisions(&answer) })
	})
}

func (p *printer) revisions(page *revisionPage) {
	for i := range page.Revisions {
		r := &page.Revisions[i]
		what := strings.TrimPrefix(r.Event, "guideline_")
		p.line("%4d  %-8s  %s  %s  %s", r.Guideline.Version, what, moment(r.At), flat(r.Actor), flat(r.Guideline.Name))
	}
	p.pages(page.pageNumbers, "version")
}

// moment is a time as people read it.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }
