package store

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/store"
)

func historyCommand(a *app.App) *cobra.Command {
	var paging store.Paging
	c := &cobra.Command{
		Use:   "history ID",
		Short: "Show all versions of a guideline, the newest first",
		Long: `History shows when each version of a guideline was made and by whom, also for a deleted guideline.
With -o json it shows the whole content of each version. "guardrails audit list --guideline ID" shows what
each change changed.`,
		Example: `  guardrails history no-push
  guardrails history no-push -o json`,
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE:              func(c *cobra.Command, args []string) error { return runHistory(a, c, args[0], paging) },
	}
	addPaging(c.Flags(), &paging)
	return c
}

// revisionPage is a page of a guideline's versions, in the form of the REST API.
type revisionPage struct {
	Revisions []revision `json:"revisions"`
	pageNumbers
}

// revision is one version of a guideline and the change that made it.
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
	return withStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		page, err := s.History(ctx, id, paging)
		if err != nil {
			return err
		}
		answer := revisionPage{[]revision{}, numbers(&page)}
		for _, r := range page.Items {
			answer.Revisions = append(answer.Revisions, revision{
				Version: r.Guideline.Version, Event: r.Event, Deleted: r.Deleted,
				Actor: r.Actor, Time: r.At.UTC(), Guideline: r.Guideline,
			})
		}
		return a.Answer(answer, func(p *app.Printer) { printRevisions(p, &answer) })
	})
}

func printRevisions(p *app.Printer, page *revisionPage) {
	for i := range page.Revisions {
		r := &page.Revisions[i]
		change := strings.TrimPrefix(r.Event, "guideline_")
		p.Line("%4d  %-8s  %s  %s  %s", r.Version, change, formatTime(r.Time), app.Flat(r.Actor),
			app.Flat(r.Guideline.Name))
	}
	printPages(p, page.pageNumbers, "version")
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }
