package store

import (
	"context"
	"strings"
	"time"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/guideline"
	"guardrails/store"
)

func historyCommand(a *app.App) *cobra.Command {
	var paging store.Paging
	c := &cobra.Command{
		Use:   "history ID",
		Short: "Show every version of a guideline, the newest first",
		Long: `History shows when and by whom each version of a guideline was made, also of one that was deleted. With -o json each
version stands there as it was. "guardrails audit list --guideline ID" shows what each change changed.`,
		Example: `  guardrails history no-push
  guardrails history no-push -o json`,
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE:              func(c *cobra.Command, args []string) error { return runHistory(a, c, args[0], paging) },
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

func runHistory(a *app.App, c *cobra.Command, id string, paging store.Paging) error {
	if _, err := paging.WithDefaults(); err != nil {
		return app.Usagef("%s: %v", c.CommandPath(), err)
	}
	return atStore(a, c, mustExist, func(ctx context.Context, b *book) error {
		page, err := b.History(ctx, id, paging)
		if err != nil {
			return err
		}
		answer := revisionPage{[]revision{}, numbers(&page)}
		for _, r := range page.Items {
			answer.Revisions = append(answer.Revisions, revision{r.Guideline.Version, r.Event, r.Deleted, r.Actor, r.At.UTC(), r.Guideline})
		}
		return a.Answer(answer, func(p *app.Printer) { printRevisions(p, &answer) })
	})
}

func printRevisions(p *app.Printer, page *revisionPage) {
	for i := range page.Revisions {
		r := &page.Revisions[i]
		what := strings.TrimPrefix(r.Event, "guideline_")
		p.Line("%4d  %-8s  %s  %s  %s", r.Version, what, moment(r.Time), app.Flat(r.Actor), app.Flat(r.Guideline.Name))
	}
	printPages(p, page.pageNumbers, "version")
}

// moment is a time as people read it.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }
