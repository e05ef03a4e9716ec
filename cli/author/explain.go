package author

import (
	"errors"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/decide"
	"guardrails/decide/explain"
)

func explainCommand(a *app.App) *cobra.Command {
	var who contextFlags
	var what callFlags
	var sources []string
	var session string
	c := &cobra.Command{
		Use:   "explain",
		Short: "Show what a tool call would do, and whether it is allowed",
		Long: `Explain shows what a tool call would do: what it reads, writes, deletes, runs and sends, and which
events it causes. Then it shows the decision of the guidelines (allow, warn, ask or deny), which guideline
decides, and why. The decision is the one that the hook would make for this call, with the project's files,
its state in git and its exceptions. Without --payload, the permission mode of the client is "default".

A call belongs to a session if --session or the payload names a session that hooks on this computer have seen.
Limits then count what the session has done. With --session, explain uses the guidelines that hooks saved for
the session, not the project's current ones. Without a session, the call is judged as the first call of a new
session.

Explain does not run the call. The exit code is 3 if the call is denied.`,
		Example: `  guardrails explain --command 'git status'
  guardrails explain --command 'git push --force origin main'
  guardrails explain -g pack:roles --agent frontend --path src/core/a.go
  guardrails explain --tool mcp__files__delete --input '{"path": "src/a.go"}' -o json
  echo '{"tool_name": "Read", "tool_input": {"file_path": "/etc/hosts"}}' | guardrails explain --payload -`,
		Args: app.Args(0, 0, "it takes only flags; put the command in quotes after --command"),
		RunE: func(c *cobra.Command, _ []string) error {
			return runExplain(a, c, &who, &what, &explanation{a: a, c: c, sources: sources, session: session})
		},
	}
	guidelineFlag(c, &sources)
	what.add(c)
	c.Flags().StringVar(&session, "session", "",
		"judge the call as part of the session with this `ID`, with the session's history and guidelines")
	who.add(a, c, &sources)
	return c
}

func runExplain(a *app.App, c *cobra.Command, who *contextFlags, what *callFlags, e *explanation) error {
	call, err := what.call(a, c)
	if err != nil {
		return err
	}
	e.call = call
	if c.Flags().Changed("session") {
		call.session = e.session
	}
	verdict, err := e.verdict(who)
	if err != nil {
		return err
	}
	if err := a.Answer(verdict, func(p *app.Printer) { p.WriteString(verdict.Text(painter(p))) }); err != nil {
		return err
	}
	if verdict.Decision == decide.Deny {
		return app.Exit(app.Refused)
	}
	return nil
}

// errUnknownSession is returned if this computer has no files of the session.
var errUnknownSession = errors.New("the session is not known on this computer; " +
	"use the session_id that the client sends to its hooks, or remove --session")

// painter() returns a function that colours a text by its style.
func painter(p *app.Printer) func(explain.Style, string) string {
	return func(style explain.Style, text string) string {
		switch style {
		case explain.Title:
			return p.Paint(app.Bold, text)
		case explain.Good:
			return p.Paint(app.Green, text)
		case explain.Caution:
			return p.Paint(app.Yellow, text)
		}
		return p.Paint(app.Red, text)
	}
}
