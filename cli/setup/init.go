package setup

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/setup"
	"guardrails/setup/claude"
)

// initFlags are the flags of init.
type initFlags struct {
	packs                           []string
	strict, user, dryRun, uninstall bool
	direct                          bool
}

func initCommand(a *app.App) *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "init",
		Short: "Set up a project so that Claude Code runs the hooks of guardrails",
		Long: `Init adds the hooks to the project's .claude/settings.json, with the absolute paths of the programs
on this computer. It adds the server to .mcp.json, allows the client to start it, and creates
.claude/guardrails.yaml. Everything else in those files stays as it is, byte for byte.

It also copies the guidelines of the packs into the store, where you can change them: a guideline in the store
replaces the one of a pack. You can run init again at any time. It changes only what is missing, was changed
by hand or has moved, and says what it changed.

With --direct, the client calls the server for each hook instead of starting a program, which is faster. If
the server is not running, the client then blocks every tool call. Run init without --direct to go back to
programs.

With --uninstall, init removes what it added, but not the store. It records the earlier state of the files in
the state folder for this purpose (~/.local/state/guardrails/init). --strict applies until you remove it from
.claude/guardrails.yaml, or until --uninstall.`,
		Example: `  guardrails init --dry-run
  guardrails init --pack core,roles
  guardrails init --uninstall`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return runInit(a, c, &f) },
	}
	flags := c.Flags()
	flags.StringSliceVar(&f.packs, "pack", nil, "use the built-in pack `NAME` (repeatable; a new project uses core)")
	flags.BoolVar(&f.strict, "strict", false, "deny tool calls that cannot be checked, instead of asking you")
	flags.BoolVar(&f.direct, "direct", false, "let the client call the server for each hook, without starting programs")
	flags.BoolVar(&f.user, "user", false, "set up all your projects, in your own settings")
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
	}
	for _, note := range plan.Notes {
		a.Note(note)
	}
	if f.uninstall {
		noteStoreStays(a)
		answer := newInitAnswer(o, f, plan)
		return a.Answer(answer, func(p *app.Printer) { printInit(p, answer, f) })
	}
	noteConflicts(a, o)
	return finishInit(a, c, o, f, plan)
}

// finishInit fills the store and prints the answer. It fails if the store cannot be filled; everything else is set up
// in that case.
func finishInit(a *app.App, c *cobra.Command, o *setup.Options, f *initFlags, plan *setup.Plan) error {
	answer := newInitAnswer(o, f, plan)
	if !f.user {
		answer.Store = fillStore(a, c, o, f)
	}
	if err := a.Answer(answer, func(p *app.Printer) { printInit(p, answer, f) }); err != nil {
		return err
	}
	if s := answer.Store; s != nil && s.Error != "" && !f.dryRun {
		return app.Failf("%s: could not fill the store: %s; everything else is set up; fix this and run init again",
			c.CommandPath(), s.Error)
	}
	return nil
}

// check refuses flags that do not go together, and packs that do not exist.
func (f *initFlags) check(command string) error {
	switch {
	case f.uninstall && (f.strict || f.direct || len(f.packs) > 0):
		return app.Usagef("%s: --uninstall goes only with --user and --dry-run; remove the other flags", command)
	case f.user && len(f.packs) > 0:
		return app.Usagef("%s: --user sets up only hooks, and packs belong to a project; "+
			"run init with --pack in the project", command)
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

// initOptions returns what to set up, and where.
func initOptions(a *app.App, f *initFlags) (*setup.Options, error) {
	target, err := initTarget(a, f.user)
	if err != nil {
		return nil, err
	}
	o := &setup.Options{
		Target: target, Windows: runtime.GOOS == "windows", Packs: f.packs, Strict: f.strict, Uninstall: f.uninstall,
		Read: target.ReadFile,
	}
	if state := product.StateDir(a.Env); state != "" {
		o.Record = setup.RecordPath(state, target)
	} else {
		a.Note("HOME is not set, so init cannot record the earlier state of the files; " +
			"--uninstall still removes what init added")
	}
	if f.uninstall {
		return o, nil
	}
	if !f.user {
		if _, err := a.Config(); err != nil {
			return nil, err
		}
	}
	if o.Bin, err = a.HookPrograms(); err != nil {
		return nil, err
	}
	if f.direct {
		return o, useDirectHooks(a, o)
	}
	o.OnFailure = knowsOnFailure(a)
	o.MCP = hasServer(a)
	return o, nil
}

// initTarget returns the project of the current folder, or the user.
func initTarget(a *app.App, user bool) (setup.Target, error) {
	dir := product.ClientDir(a.Env)
	if user && !filepath.IsAbs(dir) {
		return setup.Target{}, app.Failf("guardrails init: cannot find your own settings; set HOME")
	}
	if user {
		return setup.ForUser(dir), nil
	}
	root := a.ProjectRoot(a.Cwd)
	target := setup.ForProject(root)
	if target.Settings == setup.ForUser(dir).Settings {
		return setup.Target{}, app.Usagef("guardrails init: %s is your home folder, whose settings apply to all "+
			"projects; run init in a project, or with --user", root)
	}
	return target, nil
}

// hasServer reports whether the client can start the server.
func hasServer(a *app.App) bool {
	if a.ServerProgram == nil {
		return false
	}
	_, err := a.ServerProgram()
	if err != nil {
		a.Note("init does not add the server to .mcp.json, so each hook reads the guidelines itself: " + err.Error())
	}
	return err == nil
}

// knowsOnFailure reports whether the installed client can block a call when its hook fails.
func knowsOnFailure(a *app.App) bool {
	const unguarded = "init adds the hooks without it, so a call runs if its hook is missing or hangs"
	found, err := claude.Find(context.Background(), a.Env)
	switch {
	case err != nil:
		a.Note("could not determine whether the client knows onFailure: " + err.Error() + "; " + unguarded +
			"; fix this and run init again")
		return false
	case !found.Version.Knows(claude.OnFailure):
		a.Note("Claude Code " + found.Version.String() + " does not know onFailure (2.1.295 does): " + unguarded +
			"; update the client and run init again")
		return false
	}
	return true
}

// useDirectHooks makes the client call the server for hooks. This needs a server, and a client that blocks tool calls
// while the server does not answer.
func useDirectHooks(a *app.App, o *setup.Options) error {
	const otherwise = ", or run init without --direct, so that the client starts programs"
	found, err := claude.Find(context.Background(), a.Env)
	switch {
	case err != nil:
		return app.Failf("guardrails init: could not determine whether the client blocks calls while the server is not "+
			"running: %v; fix this and run init again%s", err, otherwise)
	case !found.Version.Knows(claude.DirectHooks):
		return app.Failf("guardrails init: Claude Code %s lets calls run while the server is not running, so nothing "+
			"would be checked (2.1.328 and later block them); update the client%s", found.Version, otherwise)
	case a.ServerProgram == nil:
		return app.Failf("guardrails init: there is no server that the client could call; "+
			"use the installed command line%s", otherwise)
	}
	if _, err := a.ServerProgram(); err != nil {
		return app.Failf("guardrails init: there is no server that the client could call: %v%s", err, otherwise)
	}
	o.Direct, o.OnFailure, o.MCP = true, true, true
	return nil
}

// noteConflicts prints notes about problems with the programs' folder and with other settings files.
func noteConflicts(a *app.App, o *setup.Options) {
	root := a.ProjectRoot(a.Cwd)
	settings := setup.Files(root, product.ClientDir(a.Env), runtime.GOOS)
	for _, note := range setup.Conflicts(settings, o.Settings, setup.ReadFile) {
		a.Note(note)
	}
	if strings.HasPrefix(o.Bin, root+string(filepath.Separator)) {
		a.Note(o.Bin + " is in the project, where the agent works; " +
			"install the programs elsewhere (make install) and run init again")
	}
}
