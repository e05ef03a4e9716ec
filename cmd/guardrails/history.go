package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/guideline"
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

// revisionPage is a page of a guideline's versions, as the REST API gives it.
type revisionPage struct {
	Revisions []revision `json:"revisions"`
	pageNumbers
}

// revision is one version of a guideline, and the change that made it.
type revision struct {
	Version   int                 `json:"version"`
	Event     string              `json:"event_type"`
	Deleted   bool                `json:"deleted"`
	Actor     string              `json:"actor"`
	Time      time.Time           `json:"timestamp"`
	Guideline guideline.Guideline `json:"guideline"`
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
		answer := revisionPage{[]revision{}, numbers(&page)}
		for _, r := range page.Items {
			answer.Revisions = append(answer.Revisions, revision{r.Guideline.Version, r.Event, r.Deleted, r.Actor, r.At.UTC(), r.Guideline})
		}
		return a.answer(answer, func(p *printer) { p.revisions(&answer) })
	})
}

func (p *printer) revisions(page *revisionPage) {
	for i := range page.Revisions {
		r := &page.Revisions[i]
		what := strings.TrimPrefix(r.Event, "guideline_")
		p.line("%4d  %-8s  %s  %s  %s", r.Version, what, moment(r.Time), flat(r.Actor), flat(r.Guideline.Name))
	}
	p.pages(page.pageNumbers, "version")
}

// moment is a time as people read it.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }
