package main

import (
	"context"

	"github.com/spf13/cobra"

	"guardrails/store"
)

func (a *app) toggleCommand() *cobra.Command {
	var version int
	c := &cobra.Command{
		Use:   "toggle ID",
		Short: "Switch a guideline of the store on or off",
		Long: `Toggle switches a guideline off that is on, and on when it is off. One that is off is kept and does not hold, also where
a pack has a guideline of the same id.`,
		Example:           "  guardrails toggle no-push",
		Args:              arguments(1, 1, "name one guideline"),
		ValidArgsFunction: a.completeIDs,
		RunE: func(c *cobra.Command, args []string) error {
			return a.changeOne(c, args[0], version, a.toggle)
		},
	}
	addVersion(c, &version)
	return c
}

func (a *app) toggle(ctx context.Context, b *book, ref store.Ref) error {
	g, err := b.Toggle(ctx, ref)
	if err != nil {
		return err
	}
	state := "off"
	if g.Enabled {
		state = "on"
	}
	return a.answer(g, func(p *printer) { p.line("%s is %s now (version %d)", g.ID, p.paint(bold, state), g.Version) })
}
