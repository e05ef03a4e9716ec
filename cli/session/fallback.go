package session

import (
	"cmp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/service/fallback"
)

func fallbackCommand(a *app.App) *cobra.Command {
	var id string
	choices := []string{fallback.ChoiceStatic, fallback.ChoiceOpen, "status"}
	c := &cobra.Command{
		Use:   "fallback [static|open|status]",
		Short: "Choose how a session continues when its guidelines cannot be read",
		Long: `Fallback shows whether the hooks can read the guidelines of this project. If they cannot, the user
chooses how the session continues:

  static  apply the last known guidelines; if there are none, apply those that can be read and the core pack
  open    continue without guidelines

The choice applies to one session until this session ends: the session in --session, or the session that reported a
problem last. Only the user can choose. In an agent's shell, the command only shows the status.`,
		Example: `  guardrails fallback
  guardrails fallback status -o json`,
		Args:      app.Args(0, 1, "use "+strings.Join(choices, ", ")),
		ValidArgs: choices,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0, args[0] == "status":
				return fallbackStatus(a, id)
			case args[0] == fallback.ChoiceStatic, args[0] == fallback.ChoiceOpen:
				return chooseFallback(a, c, id, args[0])
			}
			return app.Usagef("%s: there is no choice %s; use %s", c.CommandPath(), document.Excerpt(args[0]),
				strings.Join(choices, ", "))
		},
	}
	c.Flags().StringVar(&id, "session", "",
		"choose for the session with this `ID` (default: the session that reported a problem last)")
	return c
}

type fallbackReport struct {
	// Outage is nil if the guidelines can be read.
	Outage *fallback.Outage `json:"outage"`
	// KnownAt is the time at which the last known good guidelines were read. Guidelines is the number of these guidelines.
	// Both fields are set only during an outage.
	KnownAt    time.Time `json:"known_at,omitzero"`
	Guidelines int       `json:"guidelines,omitempty"`
	// Session is the id of a session. Choice is the mode that the user has chosen for this session.
	Session string `json:"session,omitempty"`
	Choice  string `json:"choice,omitempty"`
}

func fallbackStatus(a *app.App, id string) error {
	r, err := readFallback(a, id)
	if err != nil {
		return err
	}
	return a.Answer(r, func(p *app.Printer) { printFallback(p, r) })
}

func readFallback(a *app.App, id string) (*fallbackReport, error) {
	s, root := a.Service(), a.ProjectRoot(a.Cwd)
	outage, err := s.Outage(root)
	if err != nil {
		return nil, err
	}
	r := &fallbackReport{Outage: outage, Session: id}
	if outage != nil {
		r.Session = cmp.Or(id, outage.Session)
		r.KnownAt, r.Guidelines = s.LastKnown(root)
	}
	if r.Session != "" {
		r.Choice, err = fallback.Choice(a.Env, r.Session)
	}
	return r, err
}

func printFallback(p *app.Printer, r *fallbackReport) {
	if r.Outage == nil {
		p.Line("The hooks can read the guidelines of this project, or have not run yet.")
	} else {
		p.Field("reason", p.Paint(app.Yellow, app.Flat(r.Outage.Reason)))
		p.Field("since", r.Outage.Since.UTC().Format(time.DateTime+" UTC"))
		p.Field("mode", r.Outage.Mode)
		if r.Guidelines > 0 {
			p.Field("last known", app.Count(r.Guidelines, "guideline")+", read "+r.KnownAt.Format(time.DateTime+" UTC"))
		}
	}
	p.Field("session", app.Flat(r.Session))
	p.Field("choice", app.Flat(r.Choice))
}

// chooseFallback records the choice for a session. It also makes the session's agents request guidelines again.
func chooseFallback(a *app.App, c *cobra.Command, id, choice string) error {
	reason := "only the user may choose how a session continues (the prompt \"guardrails: " + choice + "\" works too)"
	if err := a.RequirePerson(c, reason); err != nil {
		return err
	}
	r, err := readFallback(a, id)
	if err != nil {
		return err
	}
	if r.Session == "" {
		return app.Failf("%s: no session of this project has reported a problem; name a session with --session",
			c.CommandPath())
	}
	if err := fallback.Choose(a.Env, r.Session, choice); err != nil {
		return err
	}
	r.Choice = choice
	return a.Answer(r, func(p *app.Printer) {
		continues := "uses the last known guidelines or, if there are none, those that can be read and the core pack"
		if choice == fallback.ChoiceOpen {
			continues = "continues without guidelines"
		}
		p.Line("If some guidelines cannot be read, session %s %s. This applies until the session ends.", app.Flat(r.Session), continues)
	})
}
