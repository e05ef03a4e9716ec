package store

import (
	"context"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/store/live"
)

type deletion struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
	// Version is the version that was deleted. The command "restore" can bring it back.
	Version int `json:"version"`
}

func deleteCommand(a *app.App) *cobra.Command {
	var version int
	c := &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a guideline from the store; its history stays",
		Long: `Delete removes a guideline of this project from the store; with --all-projects, it removes a guideline that is
for all projects. Its versions stay, and "guardrails restore" brings one back. If there is another guideline with
the same id, in a pack, in a file of the project or for all projects, that guideline applies from then on. To
switch a guideline off instead, use "guardrails toggle".`,
		Example:           "  guardrails delete no-push",
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE: func(c *cobra.Command, args []string) error {
			return changeOne(a, c, args[0], version, func(ctx context.Context, s *projectStore, ref live.Ref) error {
				if err := s.Delete(ctx, ref); err != nil {
					return err
				}
				return a.Answer(deletion{ref.ID, true, ref.Version}, func(p *app.Printer) {
					p.Line("deleted %s of %s; to bring it back, run: guardrails restore %s%s", ref.ID, s.owner(),
						versioned(ref.ID, ref.Version), s.scopeFlag())
				})
			})
		},
	}
	addVersion(c, &version)
	addScope(c, "delete the guideline that is for all projects")
	return c
}
