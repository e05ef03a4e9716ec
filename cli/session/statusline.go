package session

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/product"
	"guardrails/service/fallback"
	"guardrails/setup/status"
)

func statuslineCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "statusline",
		Short: "Print a line for Claude Code's status line: is this session guarded?",
		Long: `Statusline reads the JSON that Claude Code passes to status line commands on stdin, and prints one
line. The line says whether the session is guarded, how many guidelines apply, what was denied or asked last,
how many calls were not checked, how many settings of the project are ignored, and where the page is. While a
question waits for an answer, the line begins with this question; the client hides its status line while its own dialog
is open. Statusline never fails.

Add it to ~/.claude/settings.json with the path of this program. If you have a status line already, call
statusline from there.

  "statusLine": {"type": "command", "command": "/usr/local/bin/guardrails statusline"}`,
		Example: `  echo '{"session_id": "s1", "workspace": {"project_dir": "/home/ann/shop"}}' | guardrails statusline
  guardrails statusline -o json`,
		Args: app.Args(0, 0, "it reads stdin"),
		RunE: func(*cobra.Command, []string) error {
			s := status.Read(statusOptions(a))
			return a.Answer(s, func(p *app.Printer) { p.Line("%s", app.Flat(statusText(s))) })
		},
	}
}

// maxStatusInput is the largest size of the client's document that is read. Most documents have a few kilobytes.
const maxStatusInput = 1 << 20

// statusOptions reads the client's document on stdin. If a person types the command, there is no document.
func statusOptions(a *app.App) status.Options {
	var in struct {
		Session    string `json:"session_id"`
		Transcript string `json:"transcript_path"`
		Cwd        string `json:"cwd"`
		Workspace  struct {
			Project string `json:"project_dir"`
		} `json:"workspace"`
	}
	if !a.Interactive && a.Stdin != nil {
		// If there is no valid document, the line describes the current folder.
		text, _ := io.ReadAll(io.LimitReader(a.Stdin, maxStatusInput))
		_ = json.Unmarshal(text, &in)
	}
	o := status.Options{
		Env: a.Env, Now: a.Clock()(), Project: in.Workspace.Project, Session: in.Session, Transcript: in.Transcript,
	}
	if o.Session == "" {
		o.Session = a.Env(product.VariableSession)
	}
	if o.Project == "" {
		o.Project = in.Cwd
	}
	if o.Project == "" {
		o.Project = a.ProjectRoot(a.Cwd)
	}
	return o
}

// statusText returns a status as one line.
func statusText(s *status.Status) string {
	var parts []string
	switch s.Guard {
	case status.Off:
		if s.Problem != "" {
			return "guardrails OFF: " + s.Problem
		}
		return "guardrails OFF: no hooks in the settings of this folder (guardrails init)"
	case status.Unknown:
		return "guardrails ?: " + s.Problem
	case status.Ready:
		return "guardrails ready"
	case status.Unseen:
		parts = append(parts, "guardrails NOT SEEN: tool calls are not checked (guardrails doctor)")
	case status.Open:
		parts = append(parts, "guardrails OPEN: the project's guidelines do not apply (guardrails fallback)")
	default:
		parts = append(parts, "guardrails on")
	}
	if s.Guidelines != nil && s.Guard != status.Open {
		parts = append(parts, app.Count(*s.Guidelines, "guideline")+sourceText(s.Source))
	}
	if s.Unchecked > 0 {
		parts = append(parts, app.Count(s.Unchecked, "call")+" not checked")
	}
	if s.NeedsTrust > 0 {
		parts = append(parts, app.Count(s.NeedsTrust, "setting")+" ignored: guardrails trust")
	}
	if s.Safety != "" {
		parts = append(parts, "safety: "+s.Safety)
	}
	if s.OutputGuard != "" {
		parts = append(parts, "output guard: "+s.OutputGuard)
	}
	switch {
	case s.Question != "" && s.Guard == status.On:
		parts[0] = "guardrails asks: " + s.Question
	case s.Last != nil:
		parts = append(parts, decisionText(s.Last))
	}
	if s.Page != "" {
		parts = append(parts, strings.TrimSuffix(s.Page, "/"))
	}
	return strings.Join(parts, " · ")
}

// sourceText returns a text that says where the guidelines come from. For the usual source, it returns "".
func sourceText(source string) string {
	switch source {
	case fallback.SourceSnapshot:
		return " (last known)"
	case fallback.SourceStatic:
		return " (only the readable ones)"
	}
	return ""
}

func decisionText(d *status.Decision) string {
	verb := "asked"
	if d.Outcome == "deny" {
		verb = "denied"
	}
	when := fmt.Sprintf("%d min ago", int(d.Age.Minutes()))
	if d.Age < time.Minute {
		when = "just now"
	}
	return strings.Join(strings.Fields(verb+" "+d.Guideline+" "+when), " ")
}
