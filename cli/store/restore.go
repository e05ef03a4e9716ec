package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/store"
	"guardrails/store/live"
)

func restoreCommand(a *app.App) *cobra.Command {
	var version int
	c := &cobra.Command{
		Use:   "restore ID@VERSION",
		Short: "Bring back an earlier version of a guideline",
		Long: `Restore creates a new version of a guideline with the content of an earlier version. It also brings
back a deleted guideline. "guardrails history" shows the versions. Restore changes a guideline of this project
or, with --all-projects, one that is for all projects.`,
		Example: "  guardrails restore no-push@1",
		Args:    app.Args(1, 1, "name one guideline and its version"),
		RunE: func(c *cobra.Command, args []string) error {
			id, old, err := parseVersioned(c, args[0])
			if err != nil {
				return err
			}
			return changeStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
				return restore(a, ctx, s, id, old, version)
			})
		},
	}
	addVersion(c, &version)
	addScope(c, "restore a guideline that is for all projects")
	return c
}

func parseVersioned(c *cobra.Command, text string) (id string, version int, err error) {
	id, number, _ := strings.Cut(text, "@")
	if version, err = strconv.Atoi(number); err != nil || version < 1 || id == "" {
		return "", 0, app.Usagef("%s: %q does not name a version; write ID@VERSION, such as %s",
			c.CommandPath(), app.Flat(text), versioned("no-push", 1))
	}
	return id, version, nil
}

func restore(a *app.App, ctx context.Context, s *projectStore, id string, old, version int) error {
	ref, err := s.newest(ctx, id, version)
	if err != nil {
		return err
	}
	g, err := s.Restore(ctx, ref, old)
	if err != nil {
		return err
	}
	return a.Answer(g,
		func(p *app.Printer) {
			p.Line("restored version %d of %s for %s (now version %d)", old, g.ID, s.owner(), g.Version)
		})
}

// newest() is like ref(), but it also finds a guideline that was deleted.
func (s *projectStore) newest(ctx context.Context, id string, version int) (live.Ref, error) {
	if version != 0 {
		return s.ref(ctx, id, version)
	}
	page, err := s.History(ctx, id, store.Paging{Page: 1, Size: 1})
	if err != nil || len(page.Items) == 0 {
		return live.Ref{ID: id}, err
	}
	return live.Ref{ID: id, Version: page.Items[0].Guideline.Version}, nil
}
