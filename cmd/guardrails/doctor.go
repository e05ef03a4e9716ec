package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"guardrails/setup/doctor"
)

func (a *app) doctorCommand() *cobra.Command {
	var live bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check every link from the client to a decision, and say how to mend it",
		Long: `Doctor looks at the client, the hooks in all settings files that it reads, the hook programs, the project's config and
guidelines, the folders that the hooks write to, how fast guidelines are answered, and which hooks were seen in the
sessions of the last hour.

With --live it also proves that the hooks work: it starts Claude Code in a temporary project with the hooks of these
settings, lets a scripted model on this computer make harmless calls, and says FIRED or NOT FIRED for each. That needs no
account, costs nothing and leaves nothing behind. Where no client is installed it runs the commands of the settings.

It ends with 1 when something is broken or has not fired.`,
		Example: `  guardrails doctor
  guardrails doctor --live`,
		Args: arguments(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return a.doctor(c.Context(), live) },
	}
	c.Flags().BoolVar(&live, "live", false, "let harmless canaries go through the hooks")
	return c
}

func (a *app) doctor(ctx context.Context, live bool) error {
	if ctx == nil {
		ctx = context.Background()
	}
	// A proof that is broken off still clears away what it made.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	x := doctor.Examine(ctx, doctor.Options{Env: a.env, Now: time.Now, Cwd: a.cwd, Program: a.self, System: runtime.GOOS, Open: a.open})
	list := x.Checks
	if live {
		list = slices.Concat(list, x.Prove(ctx))
	}
	err := a.answer(list, func(p *printer) { p.checks(list) })
	if err == nil && doctor.Failed(list) {
		return &outcome{code: failed}
	}
	return err
}

func (p *printer) checks(list []doctor.Check) {
	p.links(list)
	found := map[doctor.State]int{}
	for _, c := range list {
		found[c.State]++
	}
	switch {
	case found[doctor.Broken] > 0:
		p.line("\n%s broken, %s", count(found[doctor.Broken], "link"), count(found[doctor.Warning], "warning"))
	case found[doctor.Warning] > 0:
		p.line("\nevery link holds, %s", count(found[doctor.Warning], "warning"))
	default:
		p.line("\nevery link holds")
	}
}

func (p *printer) links(list []doctor.Check) {
	shades := map[doctor.State]color{doctor.OK: green, doctor.Warning: yellow, doctor.Broken: red}
	width := 0
	for _, c := range list {
		width = max(width, len(c.Name))
	}
	for _, c := range list {
		state := p.paint(shades[c.State], fmt.Sprintf("%-8s", c.State))
		p.line("%s %-*s  %s", state, width, c.Name, flat(c.Detail))
		if c.Remedy != "" {
			p.line("%-8s %-*s  remedy: %s", "", width, "", flat(c.Remedy))
		}
	}
}
