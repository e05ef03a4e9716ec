package store

import (
	"context"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/store"
)

// deleted is the answer of delete.
type deleted struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
	// Version is the one that was deleted, and that restore brings back.
	Version int `json:"version"`
}

func deleteCommand(a *app.App) *cobra.Command {
	var version int
	c := &cobra.Command{
		Use:   "delete ID",
		Short: "Remove a guideline from the store; its history stays",
		Long: `Delete removes a guideline from the store. Its versions stay, and "guardrails restore" brings one back. Where a pack or
a file of the project has a guideline of the same id, that one holds from then on; to switch that off, use
"guardrails toggle" instead.`,
		Example:           "  guardrails delete no-push",
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE: func(c *cobra.Command, args []string) error {
			return changeOne(a, c, args[0], version, deleteGuideline)
		},
	}
	addVersion(c, &version)
	return c
}

// changeOne changes one guideline of the store, which must have the version that the caller saw.
func changeOne(a *app.App, c *cobra.Command, id string, version int, change func(*app.App, context.Context, *book, store.Ref) error) error {
	return changeStore(a, c, mustExist, func(ctx context.Context, b *book) error {
		ref, err := b.ref(ctx, id, version)
		if err != nil {
			return err
		}
		return change(a, ctx, b, ref)
	})
}

func deleteGuideline(a *app.App, ctx context.Context, b *book, ref store.Ref) error {
	if err := b.Delete(ctx, ref); err != nil {
		return err
	}
	return a.Answer(deleted{ref.ID, true, ref.Version}, func(p *app.Printer) {
		p.Line("%s is deleted; guardrails restore %s brings it back", ref.ID, versioned(ref.ID, ref.Version))
	})
}
