package store

import (
	"cmp"
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
		Long: `History shows when each version of a guideline was made and by whom, and which fields changed, also for
a deleted guideline. With -o json it also shows the whole content of each version. It shows the project's own
guideline or, if there is none, the one that is for all projects.`,
		Example: `  guardrails history no-push
  guardrails history no-push -o json`,
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE:              func(c *cobra.Command, args []string) error { return runHistory(a, c, args[0], paging) },
	}
	addPaging(c.Flags(), &paging, "versions")
	addScope(c, "show the guideline that is for all projects")
	return c
}

// revisionPage is a page of a guideline's versions. It has the form that the REST API uses.
type revisionPage struct {
	Revisions []revision `json:"revisions"`
	pageNumbers
}

type revision struct {
	Version int       `json:"version"`
	Event   string    `json:"event_type"`
	Deleted bool      `json:"deleted"`
	Actor   string    `json:"actor"`
	Time    time.Time `json:"timestamp"`
	// Changes lists the fields that differ from the previous version. A new guideline has no changes, because all its
	// fields are new.
	Changes   []store.FieldChange `json:"changes"`
	Guideline guideline.Guideline `json:"guideline"`
}

func runHistory(a *app.App, c *cobra.Command, id string, paging store.Paging) error {
	if err := checkPaging(c, &paging); err != nil {
		return err
	}
	return withStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		s.TenantStore = s.readable(ctx, id)
		page, err := s.History(ctx, id, paging)
		if store.CodeOf(err) == store.NotFound {
			err = cmp.Or(noHistory(a, c, id), err)
		}
		if err != nil {
			return err
		}
		answer := revisionPage{[]revision{}, numbers(&page)}
		earlier, err := versionBefore(ctx, s, id, &page)
		if err != nil {
			return err
		}
		for i := range page.Items {
			r, err := newRevision(&page.Items[i], previousVersion(page.Items, i, earlier))
			if err != nil {
				return err
			}
			answer.Revisions = append(answer.Revisions, r)
		}
		return a.Answer(answer, func(p *app.Printer) { printRevisions(p, &answer) })
	})
}

// noHistory returns an error for a guideline that is in force but not in the store. For any other guideline, it returns
// nil.
func noHistory(a *app.App, c *cobra.Command, id string) error {
	g, err := findInForce(a, c, id)
	if err != nil || g == nil {
		return err
	}
	return app.Failf("%s: %s is not in the store but in %s, so it has no history", c.CommandPath(), g.ID,
		describe(&g.Origin))
}

// versionBefore returns the version that precedes the oldest version on a page, or nil if there is no earlier version.
func versionBefore(
	ctx context.Context, s *projectStore, id string, page *store.Page[store.Revision],
) (*store.Revision, error) {
	if page.Next == "" {
		return nil, nil
	}
	next, err := s.History(ctx, id, store.Paging{Cursor: page.Next, Size: 1})
	if err != nil || len(next.Items) == 0 {
		return nil, err
	}
	return &next.Items[0], nil
}

// previousVersion returns the version that precedes list[i]. The list begins with the newest version. The parameter
// "earlier" is the version that precedes the last version in the list.
func previousVersion(list []store.Revision, i int, earlier *store.Revision) *store.Revision {
	if i+1 < len(list) {
		return &list[i+1]
	}
	return earlier
}

func newRevision(r, earlier *store.Revision) (revision, error) {
	out := revision{
		Version: r.Guideline.Version, Event: r.Event, Deleted: r.Deleted, Actor: r.Actor, Time: r.At.UTC(),
		Guideline: r.Guideline, Changes: []store.FieldChange{},
	}
	if earlier == nil || earlier.Deleted || r.Deleted {
		return out, nil
	}
	changes, err := store.Differences(earlier, r)
	out.Changes = append(out.Changes, changes...)
	return out, err
}

func printRevisions(p *app.Printer, page *revisionPage) {
	for i := range page.Revisions {
		r := &page.Revisions[i]
		change := strings.TrimPrefix(r.Event, "guideline_")
		p.Line("%4d  %-8s  %s  %s  %s", r.Version, change, formatTime(r.Time), app.Flat(r.Actor),
			app.Flat(r.Guideline.Name))
		for _, c := range r.Changes {
			p.Line("        %s: %s -> %s", app.Flat(c.Field), valueText(c.Old), valueText(c.New))
		}
	}
	printPages(p, page.pageNumbers, "version")
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }
