package store

import (
	"context"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/store"
)

func toggleCommand(a *app.App) *cobra.Command {
	var version int
	c := &cobra.Command{
		Use:   "toggle ID",
		Short: "Switch a guideline in the store on or off",
		Long: `Toggle switches a guideline off if it is on, and on if it is off. A guideline that is off stays in
the store but does not apply, not even if a pack has a guideline with the same id.`,
		Example:           "  guardrails toggle no-push",
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE: func(c *cobra.Command, args []string) error {
			return changeOne(a, c, args[0], version, func(ctx context.Context, s *projectStore, ref store.Ref) error {
				g, err := s.Toggle(ctx, ref)
				if err != nil {
					return err
				}
				state := "off"
				if g.Enabled {
					state = "on"
				}
				return a.Answer(g, func(p *app.Printer) {
					p.Line("%s is now %s (version %d)", g.ID, p.Paint(app.Bold, state), g.Version)
				})
			})
		},
	}
	addVersion(c, &version)
	return c
}
