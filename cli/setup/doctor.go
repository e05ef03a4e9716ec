package setup

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/kernelclock"
	"guardrails/setup/doctor"
)

func doctorCommand(a *app.App) *cobra.Command {
	var live bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether the setup works, and say how to fix what does not",
		Long: `Doctor checks everything between the client and a decision: the client, the hooks in its settings
files, the hook programs, the configuration and the guidelines of the project, the folders that hooks write
to, the time that hooks take, and the hooks that ran in the sessions of the last hour. It says how to fix each
problem.

With --live it also proves that the hooks work. It starts Claude Code in a temporary project with the hooks of
your settings, lets a scripted model on this computer make harmless calls, and reports FIRED or NOT FIRED for
each hook and each detector that is switched on. This needs no account and leaves nothing behind. It costs
nothing, unless your settings name a language model: doctor then also asks the model one harmless question. If no
client is installed, doctor itself runs the commands in the settings.

The exit code is 1 if something is broken or a hook did not fire.`,
		Example: `  guardrails doctor
  guardrails doctor --live`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return runDoctor(a, c.Context(), live) },
	}
	c.Flags().BoolVar(&live, "live", false, "make harmless tool calls to prove that the hooks work")
	return c
}

func runDoctor(a *app.App, ctx context.Context, live bool) error {
	// If the live check is interrupted, it must still remove its files.
	ctx, stop := app.Interruptible(ctx)
	defer stop()
	x := doctor.Examine(ctx, doctor.Options{
		Env: a.Env, Now: time.Now, Kernel: kernelclock.Read, Cwd: a.Cwd, Program: a.Executable, System: runtime.GOOS,
		Open: a.OpenExisting,
	})
	list := x.Checks
	if live {
		list = slices.Concat(list, x.Prove(ctx), x.ProveModel(ctx))
	}
	err := a.Answer(list, func(p *app.Printer) { printChecks(p, list) })
	if err == nil && doctor.Failed(list) {
		return app.Exit(app.Failed)
	}
	return err
}

func printChecks(p *app.Printer, list []doctor.Check) {
	width := 0
	found := map[doctor.State]int{}
	for _, c := range list {
		width = max(width, len(c.Name))
		found[c.State]++
	}
	for i := range list {
		printCheck(p, &list[i], width)
	}
	printRemedies(p, list)
	warnings := app.Count(found[doctor.Warning], "warning")
	switch {
	case found[doctor.Broken] > 0:
		p.Line("\n%d broken, %s", found[doctor.Broken], warnings)
	case found[doctor.Warning] > 0:
		p.Line("\nnothing is broken, %s", warnings)
	default:
		p.Line("\neverything works")
	}
}

func printCheck(p *app.Printer, c *doctor.Check, width int) {
	shade := app.Green
	switch c.State {
	case doctor.Warning:
		shade = app.Yellow
	case doctor.Broken:
		shade = app.Red
	}
	p.Line("%s %-*s  %s", p.Paint(shade, fmt.Sprintf("%-8s", c.State)), width, c.Name, app.Flat(c.Detail))
}

// maxNames is the largest number of checks that are listed for one remedy.
const maxNames = 3

func printRemedies(p *app.Printer, list []doctor.Check) {
	for i, r := range doctor.Remedies(list) {
		if i == 0 {
			p.Line("\nHow to fix it")
		}
		names := strings.Join(r.Checks[:min(maxNames, len(r.Checks))], ", ")
		if more := len(r.Checks) - maxNames; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		p.Line("  %d. %s (%s)", i+1, app.Flat(r.Text), names)
	}
}
