package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
)

func explainCommand(a *app.App) *cobra.Command {
	var who contextFlags
	var what callFlags
	var sources []string
	c := &cobra.Command{
		Use:   "explain",
		Short: "Show what a tool call would do, and whether it may",
		Long: `Explain works out what a tool call would do: what it reads, writes, deletes, runs and sends, and which events that
means. Then it says what the guidelines make of it (allow, warn, ask or deny), which of them decides, and why.

Nothing of the call is run. A call that is denied ends with exit code 3.`,
		Example: `  guardrails explain --command 'git status'
  guardrails explain --command 'git push --force origin main'
  guardrails explain -g pack:roles --agent frontend --path src/core/a.go
  guardrails explain --tool mcp__files__delete --input '{"path": "src/a.go"}' -o json
  echo '{"tool_name": "Read", "tool_input": {"file_path": "/etc/hosts"}}' | guardrails explain --payload -`,
		Args: app.Args(0, 0, "it takes flags only; put a command in quotes behind --command"),
		RunE: func(c *cobra.Command, _ []string) error {
			return runExplain(a, c, &who, &what, sources)
		},
	}
	guidelineFlag(a, c, &sources)
	what.add(c)
	who.add(a, c, &sources)
	return c
}

func runExplain(a *app.App, c *cobra.Command, who *contextFlags, what *callFlags, sources []string) error {
	call, err := what.call(a, c)
	if err != nil {
		return err
	}
	settings, err := a.Config()
	if err != nil {
		return err
	}
	context := guideline.Context{Agent: call.agent, SessionID: call.session}
	if err := who.fill(a, c, settings, &context); err != nil {
		return err
	}
	set, err := compiled(a, c, settings, sources)
	if err != nil {
		return err
	}
	analysis := toolcall.Analyze(machine(a, call), call.tool, call.input)
	verdict := explain.Call(set, context, analysis, decide.Facts{})
	if err := a.Answer(verdict, func(p *app.Printer) { p.WriteString(verdict.Text(painter(p))) }); err != nil {
		return err
	}
	if verdict.Decision == decide.Deny {
		return app.Exit(app.Refused)
	}
	return nil
}

// painter returns how a printer shows the styles of texts.
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
