package session

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/service/fallback"
)

func fallbackCommand(a *app.App) *cobra.Command {
	var id string
	choices := []string{fallback.ChoiceStatic, fallback.ChoiceOpen, "status"}
	c := &cobra.Command{
		Use:   "fallback [static|open|status]",
		Short: "Say how a session goes on whose guidelines cannot be read or reached",
		Long: `Fallback shows whether the hooks of this project can read its guidelines, and answers the question that they ask when
they cannot: static lets the last known good guidelines hold (else what can be read, with the core pack), open lets the
session go on without any. The answer holds for one session: the one that noticed last, or --session.

It is for the user alone: in a shell of an agent it is refused.`,
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
			return app.Usagef("%s: %s is no answer; use %s", c.CommandPath(), document.Excerpt(args[0]), strings.Join(choices, ", "))
		},
	}
	c.Flags().StringVar(&id, "session", "", "the session that is meant, by its `ID` (default: the one of this project that noticed last)")
	return c
}

// fallbackReport is how the guidelines of a project can be read.
type fallbackReport struct {
	// Outage is nil when they can be read as they should.
	Outage *fallback.Outage `json:"outage"`
	// Session is the one that an answer would be for, Choice what it has chosen.
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
	outage, err := a.Service().Outage(a.ProjectRoot(a.Cwd))
	if err != nil {
		return nil, err
	}
	r := &fallbackReport{Outage: outage, Session: id}
	if id == "" && outage != nil {
		r.Session = outage.Session
	}
	if r.Session != "" {
		r.Choice, err = fallback.Choice(a.Env, r.Session)
	}
	return r, err
}

func printFallback(p *app.Printer, r *fallbackReport) {
	if r.Outage == nil {
		p.Line("The hooks of this project read its guidelines as they should, or have not run yet.")
	} else {
		p.Field("reason", p.Paint(app.Yellow, app.Flat(r.Outage.Reason)))
		p.Field("since", r.Outage.Since.UTC().Format(time.DateTime+" UTC"))
		p.Field("mode", r.Outage.Mode)
	}
	p.Field("session", app.Flat(r.Session))
	p.Field("choice", app.Flat(r.Choice))
}

// chooseFallback answers for a session, and makes its agents ask anew.
func chooseFallback(a *app.App, c *cobra.Command, id, choice string) error {
	if product.IsAgentShell(a.Env) {
		return app.Failf("%s: this shell is an agent's (CLAUDECODE is set), and how a session goes on is its user's to say; run it in a terminal of your own, or type the prompt guardrails: %s", c.CommandPath(), choice)
	}
	r, err := readFallback(a, id)
	if err != nil {
		return err
	}
	if r.Session == "" {
		return app.Failf("%s: no session of this project is asking; name one by --session", c.CommandPath())
	}
	if err := fallback.Choose(a.Env, r.Session, choice); err != nil {
		return err
	}
	r.Choice = choice
	return a.Answer(r, func(p *app.Printer) { p.Line("%s", chosen(r)) })
}

func chosen(r *fallbackReport) string {
	what := "the static rules hold where the guidelines cannot be read or reached"
	if r.Choice == fallback.ChoiceOpen {
		what = "it goes on without guidelines where they cannot be read or reached"
	}
	return fmt.Sprintf("Session %s: %s. This holds until it ends.", app.Flat(r.Session), what)
}
