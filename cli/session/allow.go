package session

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/hooks"
	"guardrails/hooks/ownfiles"
	"guardrails/internal/changemark"
	"guardrails/internal/product"
	"guardrails/service"
	"guardrails/setup"
)

// maxAllowance is the longest time for which "guardrails allow" can make an exception.
const maxAllowance = 30 * 24 * time.Hour

// The type "allowance" has the arguments of the command "allow".
type allowance struct {
	a       *app.App
	c       *cobra.Command
	call    string
	forHow  string
	reason  string
	only    []string
	forUser bool
	yes     bool
}

func allowCommand(a *app.App) *cobra.Command {
	w := &allowance{a: a}
	c := &cobra.Command{
		Use:   "allow CALL",
		Short: "Allow a call that a guideline stops, for a limited time",
		Long: `Allow writes an exception for each guideline that denies a call or asks about it. CALL is a shell
command, or a tool pattern such as 'Bash(rm -rf src/old:*)' or 'Write(migrations/*)'. The exception is for the
pattern or, without a pattern, for the commands, files or hosts that the guidelines stop. The exception ends
after the time in --for, at most 30 days, and every call that it lets through is recorded.

Allow shows what it would write, and asks for confirmation. It writes to .claude/guardrails.yaml of the project, or with --user
to your own settings. No exception applies to the guard's own files.

Run this command in your own terminal. In an agent's shell it does nothing, and tool calls that run it are denied.`,
		Example: `  guardrails allow 'rm -rf src/old' --for 2h --reason 'the old code moves out'
  guardrails allow 'Bash(git push --force origin topic:*)' --for 3d --reason 'a clean-up' --guideline security-history`,
		Args: app.Args(1, 1, "give one command or tool pattern, in quotes"),
		RunE: func(c *cobra.Command, args []string) error {
			w.c, w.call = c, args[0]
			return w.run()
		},
	}
	f := c.Flags()
	f.StringVar(&w.forHow, "for", "1h", "allow the call for this `TIME`, such as 30m, 2h or 3d; at most 30d")
	f.StringVar(&w.reason, "reason", "", "why the guidelines do not fit here (`TEXT`, required)")
	f.StringArrayVar(&w.only, "guideline", nil, "make the exception only for the guideline with this `ID` (repeatable)")
	f.BoolVar(&w.forUser, "user", false, "write to your own settings instead of the project's")
	f.BoolVarP(&w.yes, "yes", "y", false, "do not ask for confirmation")
	return c
}

type allowed struct {
	File       string      `json:"file"`
	Exceptions []exception `json:"exceptions"`
	// Decision is the new decision about the call, with the exceptions.
	Decision decide.Outcome `json:"decision"`
}

type exception struct {
	Guideline string   `json:"guideline"`
	Tools     []string `json:"tools"`
	Reason    string   `json:"reason"`
	Expires   string   `json:"expires"`
}

func (w *allowance) run() error {
	if err := w.a.RequireTerminal(w.c); err != nil {
		return err
	}
	until, err := w.until()
	if err != nil {
		return err
	}
	call, err := parseAllowed(w.call)
	if err != nil {
		return app.Usagef("%s: %v", w.c.CommandPath(), err)
	}
	exceptions, err := w.exceptions(call, until)
	if err != nil {
		return err
	}
	return w.write(call, exceptions)
}

func (w *allowance) until() (time.Time, error) {
	if strings.TrimSpace(w.reason) == "" {
		return time.Time{}, app.Usagef("%s: --reason is missing; say why the guidelines do not fit here", w.c.CommandPath())
	}
	d, err := time.ParseDuration(w.forHow)
	if days, isDays := strings.CutSuffix(w.forHow, "d"); isDays {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(n, 1000)) * 24 * time.Hour
	}
	switch {
	case err != nil || d < time.Minute:
		return time.Time{}, app.Usagef("%s: --for %s is not a time; write it as 30m, 2h or 3d", w.c.CommandPath(), w.forHow)
	case d > maxAllowance:
		return time.Time{}, app.Usagef("%s: --for %s is longer than 30 days; write a shorter time, or change the guideline",
			w.c.CommandPath(), w.forHow)
	}
	return w.a.Clock()().Add(d).UTC().Truncate(time.Second), nil
}

func (w *allowance) exceptions(call *allowedCall, until time.Time) ([]config.Exception, error) {
	verdict, err := w.judge(call)
	if err != nil {
		return nil, err
	}
	objections, err := call.objections(verdict, w.only)
	if err != nil {
		return nil, app.Failf("%s: %v", w.c.CommandPath(), err)
	}
	if err := w.checkLocked(objections); err != nil {
		return nil, err
	}
	var out []config.Exception
	for _, o := range objections {
		out = append(out, config.Exception{
			Guideline: o.guideline, Tools: o.tools,
			Reason: strings.TrimSpace(w.reason), Expires: until,
		})
	}
	return out, nil
}

// checkLocked returns an error if a locked guideline of another layer stops the call. The exception would then have no
// effect.
func (w *allowance) checkLocked(objections []objection) error {
	target := config.Project
	if w.forUser {
		target = config.User
	}
	s := w.a.Service()
	defer func() { _ = s.Close() }() // an error of Close does not matter after reading
	layers, _, err := s.Layers(w.c.Context(), w.a.ProjectRoot(w.a.Cwd))
	if err != nil {
		return err
	}
	for _, l := range layers {
		for i := range l.Guidelines {
			g := &l.Guidelines[i]
			stops := slices.ContainsFunc(objections, func(o objection) bool { return o.guideline == g.ID })
			if stops && g.Locked && l.Name != target && len(layers) > 1 {
				return app.Failf("%s: %s is locked in the %s layer, so an exception of the %s does not apply to it; "+
					"change the guideline there", w.c.CommandPath(), g.ID, l.Name, target)
			}
		}
	}
	return nil
}

func (w *allowance) judge(call *allowedCall) (*explain.Verdict, error) {
	s := w.a.Service()
	defer func() { _ = s.Close() }() // an error of Close does not matter after reading
	answer, err := s.ExplainCall(w.c.Context(), service.CallRequest{
		Tool: call.tool, Input: call.input, Cwd: w.a.Cwd, Mode: service.DefaultMode, Headless: hooks.Headless(w.a.Env),
	})
	if err != nil {
		return nil, err
	}
	return answer.Verdict, nil
}

// write() shows the exceptions, asks the person, and writes the exceptions.
func (w *allowance) write(call *allowedCall, list []config.Exception) error {
	root := w.a.ProjectRoot(w.a.Cwd)
	target, file := setup.ForProject(root), filepath.Join(root, filepath.FromSlash(config.File))
	if w.forUser {
		target = setup.ForUser(product.ClientDir(w.a.Env), product.ConfigDir(w.a.Env))
		file = target.Config
	}
	plan, err := setup.AddExceptions(file, list)
	if err != nil {
		return err
	}
	answer := allowed{File: file}
	var shown strings.Builder
	for _, x := range list {
		until := x.Expires.Format(time.RFC3339)
		answer.Exceptions = append(answer.Exceptions, exception{x.Guideline, x.Tools, x.Reason, until})
		shown.WriteString(x.Guideline + " lets " + strings.Join(x.Tools, ", ") + " run until " + until + "\n")
	}
	if !w.yes && !w.a.Confirm(shown.String()+"\nWrite this to "+file+"?") {
		return app.Failf("%s: nothing was allowed", w.c.CommandPath())
	}
	if err := plan.Apply(target); err != nil {
		return err
	}
	ownfiles.AcceptIn(w.a.Env, plan.Paths()...)
	changemark.Set(w.a.Env)
	after, err := w.judge(call)
	if err != nil {
		return err
	}
	answer.Decision = after.Decision
	return w.a.Answer(answer, func(p *app.Printer) {
		p.Line("%s", strings.TrimSuffix(app.Flat(strings.ReplaceAll(shown.String(), "\n", "; ")), ";"))
		p.Line("Written to %s. Every call that the exception lets through is recorded. "+
			"To end the exception earlier, remove its lines.", app.Flat(file))
		if after.Decision == decide.Deny || after.Decision == decide.Ask {
			p.Line("The call is still stopped (%s): %s", after.Decision, app.Flat(after.Reason))
			p.Line("An exception of the project applies to your own guidelines only if you trust the project, and never " +
				"to locked ones. For your own guidelines, use --user.")
		}
	})
}
