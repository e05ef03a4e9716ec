package session

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/hooks"
	"guardrails/internal/private"
)

func allowOnceCommand(a *app.App) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "allow-once CODE",
		Short: "Allow one denied tool call to run once",
		Long: `Allow-once lets a denied tool call run once. The denial shows the code. The permission is
for exactly this call in this session, ends after ten minutes, and is recorded. When the agent tries again,
the client asks for your confirmation if you use it interactively. A guideline can forbid exceptions
(parameters.allow_once: false).

Run this command in your own terminal. In an agent's shell it does nothing, and tool calls that run it are denied.`,
		Example: "  guardrails allow-once J8SYZ74K",
		Args:    app.Args(1, 1, "give the code from the denial"),
		RunE:    func(c *cobra.Command, args []string) error { return allowOnce(a, c, strings.ToUpper(args[0]), yes) },
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return c
}

type permission struct {
	Code      string `json:"code"`
	Session   string `json:"session_id"`
	Tool      string `json:"tool"`
	Guideline string `json:"guideline_id"`
	Until     string `json:"until"`
}

func allowOnce(a *app.App, c *cobra.Command, code string, yes bool) error {
	if err := a.RequireTerminal(c); err != nil {
		return err
	}
	dir, err := private.Runtime(a.Env)
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	now := time.Now()
	r, err := hooks.Refused(dir, code, now, descendsFrom)
	if err != nil {
		return app.Failf("%s %s: %v", c.CommandPath(), code, err)
	}
	if !yes && !a.Confirm(r.Reason+"\n\nAllow this call to run once?") {
		return app.Failf("%s: nothing was allowed", c.CommandPath())
	}
	if err := hooks.AllowOnce(dir, &r, now); err != nil {
		return app.Failf("%s %s: %v", c.CommandPath(), code, err)
	}
	until := now.Add(hooks.OnceFor).UTC().Format(time.RFC3339)
	answer := permission{Code: r.Code, Session: r.Session, Tool: r.Tool, Guideline: r.Guideline, Until: until}
	return a.Answer(answer, func(p *app.Printer) {
		p.Line("Allowed once: %s, denied by %s. Tell the agent to try again.", r.Tool, r.Guideline)
	})
}

// descendsFrom reports whether the process whose id is the parameter "ancestor" started this process, directly or
// through other processes. If the system does not provide this information, it returns false.
func descendsFrom(ancestor int) bool {
	for pid, steps := os.Getppid(), 0; pid > 1 && steps < 100; steps++ {
		if pid == ancestor {
			return true
		}
		pid = parentOf(pid)
	}
	return false
}

// parentOf returns the parent of a process, or 0 if it is unknown.
func parentOf(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The program's name is in parentheses and can contain any character.
	end := strings.LastIndexByte(string(text), ')')
	var state string
	var parent int
	if _, err := fmt.Sscanf(string(text[end+1:]), " %s %d", &state, &parent); err != nil {
		return 0
	}
	return parent
}
