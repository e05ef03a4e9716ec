package store

import (
	"context"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/store"
)

func toggleCommand(a *app.App) *cobra.Command {
	var version int
	c := &cobra.Command{
		Use:   "toggle ID",
		Short: "Switch a guideline of the store on or off",
		Long: `Toggle switches a guideline off that is on, and on when it is off. One that is off is kept and does not hold, also where
a pack has a guideline of the same id.`,
		Example:           "  guardrails toggle no-push",
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE: func(c *cobra.Command, args []string) error {
			return changeOne(a, c, args[0], version, toggleGuideline)
		},
	}
	addVersion(c, &version)
	return c
}

func toggleGuideline(a *app.App, ctx context.Context, b *book, ref store.Ref) error {
	g, err := b.Toggle(ctx, ref)
	if err != nil {
		return err
	}
	state := "off"
	if g.Enabled {
		state = "on"
	}
	return a.Answer(g, func(p *app.Printer) { p.Line("%s is %s now (version %d)", g.ID, p.Paint(app.Bold, state), g.Version) })
}
