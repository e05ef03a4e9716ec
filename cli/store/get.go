package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/store/live"
)

func getCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "get ID",
		Short: "Show one guideline in the store",
		Long: `Get shows a guideline as YAML, or as JSON with -o json. To change the guideline, save the output to a
file, edit it and pass it to "guardrails apply". The output contains the version, so apply refuses it if
someone else was faster.`,
		Example: `  guardrails get no-push
  guardrails get no-push -o json`,
		Args:              app.Args(1, 1, "name one guideline"),
		ValidArgsFunction: completeIDs(a),
		RunE: func(c *cobra.Command, args []string) error {
			return withStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
				g, err := s.Get(ctx, args[0])
				if err != nil {
					return err
				}
				return showGuideline(a, &g)
			})
		},
	}
}

// showGuideline writes a guideline in the form that apply reads.
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

// completeIDs returns a function that suggests ids of guidelines in the store.
func completeIDs(a *app.App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return storedIDs(a, c, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// storedIDs returns the ids in the store that begin with the text that the user has typed. If there is no store, it
// returns nothing.
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
	defer func() { _ = opened.Close() }() // reading needs no error from Close
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

// addVersion adds the flag --version. A change fails if the guideline does not have this version.
func addVersion(c *cobra.Command, version *int) {
	c.Flags().IntVar(version, "version", 0, "change the guideline only if it has version `N` (default: any version)")
}

// changeOne changes one guideline of the store if it has the given version. Version 0 means any version.
func changeOne(
	a *app.App, c *cobra.Command, id string, version int, change func(context.Context, *projectStore, live.Ref) error,
) error {
	return changeStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		ref, err := s.ref(ctx, id, version)
		if err != nil {
			return err
		}
		return change(ctx, s, ref)
	})
}

// ref returns a reference to a version of a guideline. Version 0 means the current version.
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
