package store

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/store"
)

// pruneFlags are the flags that say which decisions stay in the audit.
type pruneFlags struct {
	days, entries int
	yes           bool
}

func auditPruneCommand(a *app.App) *cobra.Command {
	var f pruneFlags
	c := &cobra.Command{
		Use:   "prune",
		Short: "Remove old decisions from the audit; changes are kept forever",
		Long: `Prune removes the oldest decisions from the audit: those older than --keep-days, and those that are
not among the newest --keep-entries entries. It never removes changes of guidelines. The removal is itself
recorded in the audit. It cannot be undone.`,
		Example: `  guardrails audit prune --keep-days 90 --yes
  guardrails audit prune --keep-entries 1000000 --yes`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return auditPrune(a, c, &f) },
	}
	c.Flags().IntVar(&f.days, "keep-days", 0, "keep the decisions of the last `N` days")
	c.Flags().IntVar(&f.entries, "keep-entries", 0, "keep the decisions among the newest `N` entries")
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask for confirmation")
	return c
}

// retention() returns the limits from the flags. Decisions within these limits are kept.
func (f *pruneFlags) retention(a *app.App, c *cobra.Command) (store.Retention, error) {
	r := store.Retention{Keep: f.entries}
	if f.days < 0 || f.entries < 0 {
		return r, app.Usagef("%s: --keep-days and --keep-entries must not be negative", c.CommandPath())
	}
	if f.days == 0 && f.entries == 0 {
		return r, app.Usagef("%s: no limit is given; pass --keep-days or --keep-entries", c.CommandPath())
	}
	if f.days > 0 {
		r.Before = a.Clock()().AddDate(0, 0, -f.days)
	}
	return r, nil
}

func auditPrune(a *app.App, c *cobra.Command, f *pruneFlags) error {
	keep, err := f.retention(a, c)
	if err != nil {
		return err
	}
	return changeStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		switch {
		case f.yes:
		case !a.Interactive:
			return app.Usagef("%s: stdin is not a terminal; pass --yes to confirm", c.CommandPath())
		case !a.Confirm("This removes old decisions from " + s.place + " forever. Continue?"):
			return app.Failf("%s: nothing was removed", c.CommandPath())
		}
		removed, err := s.Prune(ctx, keep)
		if err == nil {
			err = s.Maintain(ctx)
		}
		if err != nil {
			return err
		}
		return a.Answer(map[string]int64{"pruned": removed}, func(p *app.Printer) {
			noun := "decisions"
			if removed == 1 {
				noun = "decision"
			}
			p.Line("%s", fmt.Sprintf("removed %d %s", removed, noun))
		})
	})
}
