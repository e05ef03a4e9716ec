package store

import (
	"context"
	"fmt"
	"strings"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/store"
)

func getCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "get ID",
		Short: "Show one guideline of the store, to read or to change",
		Long: `Get writes a guideline as YAML, or as JSON with -o json. It has its version in it: write it into a file, change that
and give it to "guardrails apply", which refuses it when somebody else was faster.`,
		Example: `  guardrails get no-push
  guardrails get no-push -o json`,
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE: func(c *cobra.Command, args []string) error {
			return atStore(a, c, mustExist, func(ctx context.Context, b *book) error {
				g, err := b.Get(ctx, args[0])
				if err != nil {
					return err
				}
				return showGuideline(a, &g)
			})
		},
	}
}

// showGuideline writes a guideline in a form that can be read back.
func showGuideline(a *app.App, g *guideline.Guideline) error {
	if a.Format == app.JSON {
		return a.Answer(g, nil)
	}
	text, err := rules.YAML(g)
	if err != nil {
		return err
	}
	return a.Print(text)
}

// completeIDs returns a function that suggests the ids of the guidelines in the store.
func completeIDs(a *app.App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return storedIDs(a, c, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// storedIDs are the ids in the store that begin as what is typed. Where there is no store, nothing is suggested.
func storedIDs(a *app.App, c *cobra.Command, typed string) []string {
	settings, err := a.Config()
	if err != nil {
		return nil
	}
	ctx, stop := app.Interruptible(c.Context())
	defer stop()
	opened, err := a.OpenExisting(ctx, settings)
	if err != nil {
		return nil
	}
	defer func() { _ = opened.Close() }() // it was only read
	view, err := opened.Snapshot(ctx, settings.Tenant)
	if err != nil {
		return nil
	}
	var ids []string
	for i := range view.Guidelines {
		if g := &view.Guidelines[i]; strings.HasPrefix(g.ID, typed) {
			ids = append(ids, g.ID+"\t"+app.Flat(g.Name))
		}
	}
	return ids
}

// addVersion adds the flag by which a change can be made to a version that its author has seen.
func addVersion(c *cobra.Command, version *int) {
	c.Flags().IntVar(version, "version", 0, "change it only if it still has version `N` (default: whatever it has now)")
}

// ref names a guideline with the version that it is to have: the one that the caller gave, or the current one.
func (b *book) ref(ctx context.Context, id string, version int) (store.Ref, error) {
	if version < 0 {
		return store.Ref{}, app.Usagef("%d is no version; give a number from 1 on", version)
	}
	if version > 0 {
		return store.Ref{ID: id, Version: version}, nil
	}
	g, err := b.Get(ctx, id)
	return store.Ref{ID: id, Version: g.Version}, err
}

func versioned(id string, version int) string { return fmt.Sprintf("%s@%d", id, version) }
