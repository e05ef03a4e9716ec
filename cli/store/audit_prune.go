package store

import (
	"context"
	"fmt"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/store"
)

// pruneFlags say which decisions stay.
type pruneFlags struct {
	days, entries int
	yes           bool
}

func auditPruneCommand(a *app.App) *cobra.Command {
	var f pruneFlags
	c := &cobra.Command{
		Use:   "prune",
		Short: "Give up old decisions; changes stay for ever",
		Long: `Prune removes the oldest decisions from the audit: those that are older than --keep-days, and those that are not among
the newest --keep-entries entries. Changes of guidelines are never removed, and that decisions were is an entry itself. It cannot be
undone.`,
		Example: `  guardrails audit prune --keep-days 90 --yes
  guardrails audit prune --keep-entries 1000000 --yes`,
		Args: app.Args(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return auditPrune(a, c, &f) },
	}
	c.Flags().IntVar(&f.days, "keep-days", 0, "keep the decisions of the last `N` days")
	c.Flags().IntVar(&f.entries, "keep-entries", 0, "keep the decisions among the newest `N` entries")
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	return c
}

// retention is what the flags ask for.
func (f *pruneFlags) retention(a *app.App, c *cobra.Command) (store.Retention, error) {
	r := store.Retention{Keep: f.entries}
	if f.days < 0 || f.entries < 0 {
		return r, app.Usagef("%s: less than nothing cannot be kept; give a number from 1 on", c.CommandPath())
	}
	if f.days == 0 && f.entries == 0 {
		return r, app.Usagef("%s: what stays is not said; give --keep-days or --keep-entries", c.CommandPath())
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
	return changeStore(a, c, mustExist, func(ctx context.Context, b *book) error {
		switch {
		case f.yes:
		case !a.Interactive:
			return app.Usagef("%s: nobody is here to be asked; give --yes", c.CommandPath())
		case !a.Confirm("Old decisions go from " + b.place + ", and do not come back. Go on?"):
			return app.Failf("%s: nothing was given up", c.CommandPath())
		}
		gone, err := b.Prune(ctx, keep)
		if err != nil {
			return err
		}
		return a.Answer(map[string]int64{"pruned": gone}, func(p *app.Printer) { p.Line("%s", prunedText(gone)) })
	})
}

func prunedText(gone int64) string {
	if gone == 1 {
		return "1 decision was given up"
	}
	return fmt.Sprintf("%d decisions were given up", gone)
}
