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
	"guardrails/internal/product"
)

func onceCommand(a *app.App) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "allow-once CODE",
		Short: "Let one refused tool call run once",
		Long: `Allow-once lets a tool call run that was refused: the code stands in the refusal. The grant is for this very call, in
this session, once, within ten minutes; it is recorded. When the agent tries again the client asks you once more, where
you sit at it. A guideline can forbid it (parameters.allow_once: false).

It needs a terminal of your own. In a shell of the agent it does nothing, and tool calls that run it are refused.`,
		Example: "  guardrails allow-once J8SYZ74K",
		Args:    app.Args(1, 1, "give the code from the refusal"),
		RunE:    func(c *cobra.Command, args []string) error { return allowOnce(a, c, strings.ToUpper(args[0]), yes) },
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

// allowed is the answer of allow-once.
type allowed struct {
	Code      string `json:"code"`
	Session   string `json:"session_id"`
	Tool      string `json:"tool"`
	Guideline string `json:"guideline_id"`
	Until     string `json:"until"`
}

func allowOnce(a *app.App, c *cobra.Command, code string, yes bool) error {
	if product.IsAgentShell(a.Env) || !a.Interactive {
		return app.Failf("%s: it needs a terminal of a person, not a shell of the agent; open one and run it there", c.CommandPath())
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
	if !yes && !a.Confirm(r.Reason+"\n\nLet this call run once?") {
		return app.Failf("%s: nothing was allowed", c.CommandPath())
	}
	if err := hooks.AllowOnce(dir, &r, now); err != nil {
		return app.Failf("%s %s: %v", c.CommandPath(), code, err)
	}
	answer := allowed{Code: r.Code, Session: r.Session, Tool: r.Tool, Guideline: r.Guideline, Until: now.Add(hooks.OnceFor).UTC().Format(time.RFC3339)}
	return a.Answer(answer, func(p *app.Printer) {
		p.Line("allowed once: %s, against %s. Tell the agent to try again.", r.Tool, r.Guideline)
	})
}

// descendsFrom reports whether this process was started by another one, at whatever distance. Where the system does not
// tell, nothing is known to descend.
func descendsFrom(ancestor int) bool {
	for pid, steps := os.Getppid(), 0; pid > 1 && steps < 100; steps++ {
		if pid == ancestor {
			return true
		}
		pid = parentOf(pid)
	}
	return false
}

// parentOf reads who started a process, or 0.
func parentOf(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name stands in parentheses and may hold anything.
	end := strings.LastIndexByte(string(text), ')')
	var state string
	var parent int
	if _, err := fmt.Sscanf(string(text[end+1:]), " %s %d", &state, &parent); err != nil {
		return 0
	}
	return parent
}
