package setup

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/hooks/ownfiles"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/setup"
)

type initFlags struct {
	packs                                  []string
	noCore, strict                         bool
	user, local, direct, dryRun, uninstall bool
	// If the field "detectors" is set, init asks the user which detectors to switch on, and does nothing else.
	detectors bool
	// If the field "safety" is set, init asks the user whether to switch on the safety gate, and does nothing else.
	safety bool
	// directGiven is set if the command line has the flag --direct, with any value.
	directGiven bool
}

func initCommand(a *app.App) *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "init",
		Short: "Set up a project so that Claude Code runs the hooks of guardrails",
		Long: `Init adds the hooks to the project's .claude/settings.json. It adds the server to .mcp.json, allows the
client to start it, and creates .claude/guardrails.yaml. Everything else in those files stays as it is, byte
for byte. Commit these files: they name programs without a path, so they work for everybody who has the
programs on PATH. People without the programs see how to install them, and their tool calls do not run.

With --user, init sets up all your projects: it adds the hooks to your own settings of Claude Code and creates
~/.config/guardrails/guardrails.yaml. With --local, it sets up this project for you alone, in
.claude/settings.local.json. With either flag, the settings contain the absolute paths of the programs, so it
does not matter which PATH a project sets.

Init also creates the store, for the audit and for the guidelines that you change. The guidelines of packs are
a part of the program and follow its version. You can run init again at any time. It changes only what is
missing, was changed by hand or has moved, and says what it changed.

With --direct, the client calls the server for each hook instead of starting a program, which is faster. If
the server is not running, the client then blocks every tool call. Run init --direct=false to go back to
programs.

With --detectors, init asks which detectors to switch on, and writes your answers into your own
~/.config/guardrails/guardrails.yaml. It changes nothing else. With --safety, it asks whether to switch on the
safety gate, in the mode that only observes.

With --uninstall, init removes what it added, but not the store. For this purpose, each run of init records the
earlier state of the files in the state folder (~/.local/state/guardrails/init). The effect of --strict ends
when you remove "strict: true" from .claude/guardrails.yaml, or with --uninstall.`,
		Example: `  guardrails init --dry-run
  guardrails init --pack roles
  guardrails init --user
  guardrails init --uninstall`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			f.directGiven = c.Flags().Changed("direct")
			return runInit(a, c, &f)
		},
	}
	flags := c.Flags()
	flags.StringSliceVar(&f.packs, "pack", nil, "use the built-in pack `NAME` in addition to core (repeatable)")
	flags.BoolVar(&f.noCore, "no-core", false, "do not add the core pack")
	flags.BoolVar(&f.strict, "strict", false, "deny tool calls that cannot be checked, instead of asking you")
	flags.BoolVar(&f.direct, "direct", false, "let the client call the server for each hook, without starting programs")
	flags.BoolVar(&f.user, "user", false, "set up all your projects, in your own settings")
	flags.BoolVar(&f.local, "local", false, "set up this project for you alone, in settings that are not committed")
	flags.BoolVar(&f.detectors, "detectors", false,
		"only ask which detectors to switch on, and write the answers into your own settings")
	flags.BoolVar(&f.safety, "safety", false,
		"only ask whether to switch on the safety gate, and write the answer into your own settings")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what would change, and change nothing")
	flags.BoolVar(&f.uninstall, "uninstall", false, "remove what init added")
	app.CompleteFlag(c, "pack", app.Packs()...)
	return c
}

func runInit(a *app.App, c *cobra.Command, f *initFlags) error {
	if err := a.RequirePerson(c, "an agent must not change its own guard"); err != nil {
		return err
	}
	if err := f.check(c.CommandPath()); err != nil {
		return err
	}
	if f.detectors {
		return initDetectors(a, c)
	}
	if f.safety {
		return initSafety(a, c)
	}
	o, err := initOptions(a, f)
	if err != nil {
		return err
	}
	plan, err := setup.Prepare(*o)
	if err != nil {
		return err
	}
	if !f.dryRun {
		if err := plan.Apply(o.Target); err != nil {
			return err
		}
		ownfiles.AcceptIn(a.Env, plan.Paths()...)
	}
	for _, note := range plan.Notes {
		a.Note(note)
	}
	if f.uninstall {
		noteStoreStays(a)
		answer := newInitAnswer(o, f, plan)
		return a.Answer(answer, func(p *app.Printer) { printInit(p, answer, f) })
	}
	noteConflicts(a, plan)
	return finishInit(a, c, o, f, plan)
}

// finishInit creates the store and prints the answer. If the store cannot be used, finishInit returns an error.
// Everything else is set up even in this case.
func finishInit(a *app.App, c *cobra.Command, o *setup.Options, f *initFlags, plan *setup.Plan) error {
	answer := newInitAnswer(o, f, plan)
	answer.Store = prepareStore(a, c, o, f)
	if err := a.Answer(answer, func(p *app.Printer) { printInit(p, answer, f) }); err != nil {
		return err
	}
	if s := answer.Store; s != nil && s.Error != "" && !f.dryRun {
		return app.Failf("%s: the store cannot be used: %s; everything else is set up; fix this and run init again",
			c.CommandPath(), s.Error)
	}
	return nil
}

// hasOthers reports whether any flag is set, apart from --detectors and --safety.
func (f *initFlags) hasOthers() bool {
	return f.strict || f.direct || f.noCore || f.user || f.local || f.dryRun || f.uninstall || len(f.packs) > 0
}

// check() returns an error if flags contradict each other, or if a pack does not exist.
func (f *initFlags) check(command string) error {
	switch {
	case f.uninstall && (f.strict || f.direct || f.noCore || len(f.packs) > 0):
		return app.Usagef("%s: --uninstall can be combined only with --user, --local and --dry-run; remove the other flags", command)
	case f.safety && (f.detectors || f.hasOthers()):
		return app.Usagef("%s: --safety cannot be combined with other flags; remove them", command)
	case f.detectors && f.hasOthers():
		return app.Usagef("%s: --detectors cannot be combined with other flags; remove them", command)
	case f.user && f.local:
		return app.Usagef("%s: --user and --local write to different files; choose one", command)
	case f.local && (f.direct || f.noCore || len(f.packs) > 0):
		return app.Usagef("%s: --local writes only %s, and packs and servers are in other files; "+
			"run init without --local", command, product.LocalSettings)
	case f.user && f.direct:
		return app.Usagef("%s: --user does not set up the server that --direct needs; "+
			"run init with --direct in the project", command)
	}
	for _, name := range f.packs {
		if _, err := rules.PackSource(name); err != nil {
			return app.Usagef("%s: --pack: %v", command, err)
		}
	}
	return nil
}
