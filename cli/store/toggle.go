package store

import (
	"context"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store/live"
)

func toggleCommand(a *app.App) *cobra.Command {
	var version int
	c := &cobra.Command{
		Use:   "toggle ID [on|off]",
		Short: "Switch a guideline in the store on or off",
		Long: `Toggle switches a guideline off if it is on, and on if it is off. With on or off, it switches the
guideline to that state. If the guideline is in that state already, nothing changes. A guideline that is off
stays in the store but does not apply, and it also hides a guideline of a pack with the same id.

The change is for this project only. A guideline of a pack or of all projects is first copied for the project.
With --all-projects, the change is for all projects, except those with a guideline of their own. For a guideline
that is in a file, toggle says which file to edit.`,
		Example: `  guardrails toggle no-push
  guardrails toggle no-push off`,
		Args:              app.Args(1, 2, "name one guideline, and on or off"),
		ValidArgsFunction: completeToggle(a),
		RunE: func(c *cobra.Command, args []string) error {
			wanted := ""
			if len(args) == 2 {
				wanted = args[1]
			}
			if wanted != "" && wanted != stateOn && wanted != stateOff {
				return app.Usagef("%s: %s is not a state of a guideline; write on or off", c.CommandPath(),
					document.Excerpt(wanted))
			}
			return changeStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
				if err := s.adopt(ctx, a, c, args[0]); err != nil {
					return err
				}
				ref, err := s.ref(ctx, args[0], version)
				if err != nil {
					return err
				}
				return toggle(ctx, a, s, ref, wanted)
			})
		},
	}
	addVersion(c, &version)
	addScope(c, "switch the guideline for all projects")
	return c
}

const (
	stateOn  = "on"
	stateOff = "off"
)

func stateOf(g *guideline.Guideline) string {
	if g.Enabled {
		return stateOn
	}
	return stateOff
}

func completeToggle(a *app.App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return []string{stateOn, stateOff}, cobra.ShellCompDirectiveNoFileComp
		}
		return completeIDs(a)(c, args, typed)
	}
}

// noteOwn prints a note if the command is about all projects, but this project has its own copy of the guideline. The
// change then does not affect this project.
func (s *projectStore) noteOwn(ctx context.Context, a *app.App, id string) {
	if s.ProjectID() != "" {
		return
	}
	if own, err := s.OfProject(s.project).Get(ctx, id); err == nil {
		a.Note("the project " + s.project + " has its own " + own.ID + ", which still applies there")
	}
}

// toggle() enables or disables a guideline. If the parameter "wanted" is empty, toggle() disables an enabled
// guideline and enables a disabled one.
func toggle(ctx context.Context, a *app.App, s *projectStore, ref live.Ref, wanted string) error {
	if wanted != "" {
		g, err := s.Get(ctx, ref.ID)
		if err != nil {
			return err
		}
		if g.Version == ref.Version && stateOf(&g) == wanted {
			return a.Answer(g, func(p *app.Printer) {
				p.Line("%s is already %s for %s (version %d)", g.ID, p.Paint(app.Bold, wanted), s.owner(), g.Version)
			})
		}
	}
	g, err := s.Toggle(ctx, ref)
	if err != nil {
		return err
	}
	s.noteOwn(ctx, a, g.ID)
	return a.Answer(g, func(p *app.Printer) {
		p.Line("%s is now %s for %s (version %d)", g.ID, p.Paint(app.Bold, stateOf(&g)), s.owner(), g.Version)
	})
}
