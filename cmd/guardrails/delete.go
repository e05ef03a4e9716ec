package main

import (
	"context"

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

func (a *app) deleteCommand() *cobra.Command {
	var version int
	c := &cobra.Command{
		Use:   "delete ID",
		Short: "Remove a guideline from the store; its history stays",
		Long: `Delete removes a guideline from the store. Its versions stay, and "guardrails restore" brings one back. Where a pack or
a file of the project has a guideline of the same id, that one holds from then on; to switch that off, use
"guardrails toggle" instead.`,
		Example:           "  guardrails delete no-push",
		Args:              arguments(1, 1, "name one guideline"),
		ValidArgsFunction: a.completeIDs,
		RunE: func(c *cobra.Command, args []string) error {
			return a.changeOne(c, args[0], version, a.delete)
		},
	}
	addVersion(c, &version)
	return c
}

// changeOne changes one guideline of the store, which must have the version that the caller saw.
func (a *app) changeOne(c *cobra.Command, id string, version int, change func(context.Context, *book, store.Ref) error) error {
	return a.changeStore(c, isError, func(ctx context.Context, b *book) error {
		ref, err := b.ref(ctx, id, version)
		if err != nil {
			return err
		}
		return change(ctx, b, ref)
	})
}

func (a *app) delete(ctx context.Context, b *book, ref store.Ref) error {
	if err := b.Delete(ctx, ref); err != nil {
		return err
	}
	return a.answer(deleted{ref.ID, true, ref.Version}, func(p *printer) {
		p.line("%s is deleted; guardrails restore %s brings it back", ref.ID, versioned(ref.ID, ref.Version))
	})
}
