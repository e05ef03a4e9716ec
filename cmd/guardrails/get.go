package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/store"
)

func (a *app) getCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "get ID",
		Short: "Show one guideline of the store, to read or to change",
		Long: `Get writes a guideline as YAML, or as JSON with -o json. It has its version in it: write it into a file, change that
and give it to "guardrails apply", which refuses it when somebody else was faster.`,
		Example: `  guardrails get no-push
  guardrails get no-push -o json`,
		Args:              arguments(1, 1, "name one guideline"),
		ValidArgsFunction: a.completeIDs,
		RunE: func(c *cobra.Command, args []string) error {
			return a.atStore(c, isError, func(ctx context.Context, b *book) error {
				g, err := b.Get(ctx, args[0])
				if err != nil {
					return err
				}
				return a.showGuideline(&g)
			})
		},
	}
}

// showGuideline writes a guideline in a form that can be read back.
func (a *app) showGuideline(g *guideline.Guideline) error {
	if a.format == asJSON {
		return a.answer(g, nil)
	}
	text, err := rules.YAML(g)
	if err != nil {
		return err
	}
	return a.print(text)
}

// completeIDs suggests the ids of the guidelines in the store.
func (a *app) completeIDs(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.storedIDs(c, typed), cobra.ShellCompDirectiveNoFileComp
}

// storedIDs are the ids in the store that begin as what is typed. Where there is no store, nothing is suggested.
func (a *app) storedIDs(c *cobra.Command, typed string) []string {
	settings, err := a.config()
	if err != nil {
		return nil
	}
	ctx, stop := interruptible(c.Context())
	defer stop()
	opened, err := a.openStore(ctx, settings, isError)
	if err != nil {
		return nil
	}
	defer func() { _ = opened.Close() }() // it was only read
	view, err := opened.View(ctx, settings.Tenant)
	if err != nil {
		return nil
	}
	var ids []string
	for i := range view.Guidelines {
		if g := &view.Guidelines[i]; strings.HasPrefix(g.ID, typed) {
			ids = append(ids, g.ID+"\t"+flat(g.Name))
		}
	}
	return ids
}

// oneOf refuses a value that a flag does not know; empty means that it was not given.
func oneOf(c *cobra.Command, flag, value string, known []string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	return usageError("%s: --%s: %s is not known; use %s", c.CommandPath(), flag, document.Excerpt(value), strings.Join(known, ", "))
}

// addVersion adds the flag by which a change can be made to a version that its author has seen.
func addVersion(c *cobra.Command, version *int) {
	c.Flags().IntVar(version, "version", 0, "change it only if it still has version `N` (default: whatever it has now)")
}

// ref names a guideline with the version that it is to have: the one that the caller gave, or the current one.
func (b *book) ref(ctx context.Context, id string, version int) (store.Ref, error) {
	if version < 0 {
		return store.Ref{}, usageError("%d is no version; give a number from 1 on", version)
	}
	if version > 0 {
		return store.Ref{ID: id, Version: version}, nil
	}
	g, err := b.Get(ctx, id)
	return store.Ref{ID: id, Version: g.Version}, err
}

func versioned(id string, version int) string { return fmt.Sprintf("%s@%d", id, version) }
