package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
)

func getCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "get ID",
		Short: "Show one guideline that is in force",
		Long: `Get shows a guideline as YAML, or as JSON with -o json, with the place where it is defined: a file with its
line, a pack, or the store. To change a guideline of the store, save the YAML to a file, edit it and pass it to
"guardrails apply". The output contains the version, so apply refuses it if someone else has changed the
guideline in the meantime.

With --all-projects, it shows the guideline that the store has for all projects, even if this project has its
own.`,
		Example: `  guardrails get no-push
  guardrails get no-push -o json`,
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE: func(c *cobra.Command, args []string) error {
			if forAll(c) {
				return getShared(a, c, args[0])
			}
			g, err := findInForce(a, c, args[0])
			if err == nil && g == nil {
				err = app.Failf("%s: there is no guideline %s in this project; to see all guidelines, run: guardrails list",
					c.CommandPath(), document.Excerpt(args[0]))
			}
			if err != nil {
				return err
			}
			return showGuideline(a, &placed{g.Guideline, g.Origin, g.Hides})
		},
	}
	addScope(c, "show the guideline that the store has for all projects")
	return c
}

// getShared shows a guideline that the store has for all projects.
func getShared(a *app.App, c *cobra.Command, id string) error {
	return withStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		g, err := s.Get(ctx, id)
		if err != nil {
			return err
		}
		return showGuideline(a, &placed{Guideline: g, Origin: s.origin(&g)})
	})
}

// origin() returns the place that defines a guideline from the store.
func (s *projectStore) origin(g *guideline.Guideline) service.Place {
	return service.Place{
		Kind: service.PlaceStore, Address: s.place, ProjectID: g.ProjectID,
		AllProjects: g.ProjectID == "", Version: g.Version,
	}
}

// showGuideline writes a guideline and its place. In YAML, the place is a comment, so that the command "apply" can read
// the output.
func showGuideline(a *app.App, g *placed) error {
	if a.Format == app.JSON {
		return a.Answer(g, nil)
	}
	text, err := rules.YAML(&g.Guideline)
	if err != nil {
		return err
	}
	comment := "# " + describe(&g.Origin) + "\n"
	for i := range g.Hides {
		comment += "# replaces the definition in " + describe(&g.Hides[i]) + "\n"
	}
	return a.Print(append([]byte(comment), text...))
}

// completeIDs returns a function that suggests the ids of the guidelines in force.
func completeIDs(a *app.App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return idsInForce(a, c, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// idsInForce returns the ids of the guidelines in force that begin with the typed text.
func idsInForce(a *app.App, c *cobra.Command, typed string) []string {
	ctx, stop := app.Interruptible(c.Context())
	defer stop()
	s := a.Service()
	defer func() { _ = s.Close() }() // an error of Close does not matter after reading
	all, _, err := s.InForce(ctx, "")
	if err != nil {
		return nil
	}
	var ids []string
	for i := range all {
		if g := &all[i]; strings.HasPrefix(g.ID, typed) {
			ids = append(ids, g.ID+"\t"+app.Flat(g.Name))
		}
	}
	return ids
}

// addVersion adds the flag --version. With the flag, a change fails if the guideline has a different version.
func addVersion(c *cobra.Command, version *int) {
	c.Flags().IntVar(version, "version", 0, "change the guideline only if it has version `N` (default: any version)")
}

// changeOne changes one guideline of the store if the guideline has the given version. Version 0 means any version.
func changeOne(
	a *app.App, c *cobra.Command, id string, version int, change func(context.Context, *projectStore, live.Ref) error,
) error {
	return changeStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		ref, err := s.ref(ctx, id, version)
		if _, elsewhere := errors.AsType[*live.OtherProjectError](err); !elsewhere && store.CodeOf(err) == store.NotFound {
			err = cmp.Or(editable(a, c, id), err)
		}
		if err != nil {
			return err
		}
		return change(ctx, s, ref)
	})
}

// ref() returns a reference to a version of a guideline. Version 0 means the current version.
func (s *projectStore) ref(ctx context.Context, id string, version int) (live.Ref, error) {
	if version < 0 {
		return live.Ref{}, app.Usagef("--version %d is not a version; versions begin at 1", version)
	}
	if version > 0 {
		return live.Ref{ID: id, Version: version}, nil
	}
	g, err := s.Get(ctx, id)
	return live.Ref{ID: id, Version: g.Version}, err
}

func versioned(id string, version int) string { return fmt.Sprintf("%s@%d", id, version) }
