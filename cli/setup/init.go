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

// initFlags are the flags that say what init does.
type initFlags struct {
	packs                           []string
	strict, user, dryRun, uninstall bool
	direct                          bool
}

func initCommand(a *app.App) *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "init",
		Short: "Set a project up: Claude Code runs the hooks of guardrails from then on",
		Long: `Init enters the hooks into the project's .claude/settings.json, by the absolute paths of the programs on this computer,
enters the server into .mcp.json and lets the client start it, and makes .claude/guardrails.yaml. Whatever else stands in
those files stays byte for byte. The guidelines of the packs also go into the store, where they can be tuned: what the store
says of one goes before the pack. Run it again whenever you like: what is right is left alone, what was changed by hand or
has moved is mended and named.

With --direct the client calls the server for each hook and starts no program, which takes less time. Where the server is
gone, the client then stops every call of a tool until it is back. Run it without --direct to go back to programs.

With --uninstall it takes out what it entered, and leaves the store. What was there before is remembered in the state
folder for that (~/.local/state/guardrails/init). --strict stays until it is taken out of .claude/guardrails.yaml by hand, or until
--uninstall.`,
		Example: `  guardrails init --dry-run
  guardrails init --pack core,roles
  guardrails init --uninstall`,
		Args: app.Args(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return runInit(a, c, &f) },
	}
	flags := c.Flags()
	flags.StringSliceVar(&f.packs, "pack", nil, "put this built-in pack in force: `NAME` (repeatable; core in a new project)")
	flags.BoolVar(&f.strict, "strict", false, "deny what cannot be checked, where otherwise you are asked")
	flags.BoolVar(&f.direct, "direct", false, "have the client call the server for each hook, and start no programs")
	flags.BoolVar(&f.user, "user", false, "set up all your projects, in your own settings")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what would change, and change nothing")
	flags.BoolVar(&f.uninstall, "uninstall", false, "take everything out again")
	var names []string
	for _, p := range rules.Packs() {
		names = append(names, p.Name+"\t"+p.Description)
	}
	app.CompleteFlag(c, "pack", names...)
	return c
}

func runInit(a *app.App, c *cobra.Command, f *initFlags) error {
	if product.IsAgentShell(a.Env) {
		return app.Failf("%s: this is a shell of Claude Code (CLAUDECODE is set), and an agent does not set its own guard; run it in a terminal of your own", c.CommandPath())
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
		keptStore(a)
		return a.Answer(newInitAnswer(a, o, f, plan))
	}
	initRemarks(a, o)
	return finishInit(a, c, o, f, plan)
}

// finishInit fills the store and answers. A store that cannot be filled is told last, when all else is done.
func finishInit(a *app.App, c *cobra.Command, o *setup.Options, f *initFlags, plan *setup.Plan) error {
	answer, draw := newInitAnswer(a, o, f, plan)
	if !f.user {
		answer.Store = fillStore(a, c, o, f)
	}
	if err := a.Answer(answer, draw); err != nil {
		return err
	}
	if s := answer.Store; s != nil && s.Error != "" && !f.dryRun {
		return app.Failf("%s: the store could not be filled: %s; all else is set up; run this again once it can", c.CommandPath(), s.Error)
	}
	return nil
}

// check refuses flags that do not go together, and packs that there are not.
func (f *initFlags) check(command string) error {
	switch {
	case f.uninstall && (f.strict || f.direct || len(f.packs) > 0):
		return app.Usagef("%s: --uninstall goes with --user and --dry-run only; drop the others", command)
	case f.user && len(f.packs) > 0:
		return app.Usagef("%s: --user enters hooks only, and packs are a project's own; run it with --pack in the project", command)
	}
	if f.user && f.direct {
		return app.Usagef("%s: --user enters no server that the client could call, which --direct needs; run it with --direct in the project", command)
	}
	for _, name := range f.packs {
		if _, err := rules.PackSource(name); err != nil {
			return app.Usagef("%s: --pack: %v", command, err)
		}
	}
	return nil
}

// initOptions finds out where everything is.
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
		a.Note("HOME is not set, so that nothing is known of what was there before init; --uninstall takes out what it entered all the same")
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
		return o, callServer(a, o)
	}
	o.OnFailure = knowsOnFailure(a)
	o.MCP = hasServer(a)
	return o, nil
}

// initTarget is the project of the working folder, or the user.
func initTarget(a *app.App, user bool) (setup.Target, error) {
	dir := product.ClientDir(a.Env)
	if user && !filepath.IsAbs(dir) {
		return setup.Target{}, app.Failf("guardrails init: HOME is not set, so that your own settings cannot be found; set it")
	}
	if user {
		return setup.ForUser(dir), nil
	}
	root := a.ProjectRoot(a.Cwd)
	target := setup.ForProject(root)
	if target.Settings == setup.ForUser(dir).Settings {
		return setup.Target{}, app.Usagef("guardrails init: %s is your home, whose settings hold for all projects; run it in a project, or with --user", root)
	}
	return target, nil
}

// hasServer says whether the client can be told to start the server.
func hasServer(a *app.App) bool {
	if a.ServerProgram == nil {
		return false
	}
	_, err := a.ServerProgram()
	if err != nil {
		a.Note("the server is not entered into .mcp.json, so that each hook reads the guidelines itself: " + err.Error())
	}
	return err == nil
}

// knowsOnFailure says whether the installed client can be told to stop a call whose hook fails.
func knowsOnFailure(a *app.App) bool {
	const unguarded = "the hooks are entered without it, so that a call passes whose hook is missing or hangs"
	found, err := claude.Find(context.Background(), a.Env)
	switch {
	case err != nil:
		a.Note("whether the client knows onFailure cannot be told: " + err.Error() + "; " + unguarded + "; run this again once it can")
		return false
	case !found.Version.Knows(claude.OnFailure):
		a.Note("Claude Code " + found.Version.String() + " does not know onFailure (2.1.295 does): " + unguarded + "; update it and run this again")
		return false
	}
	return true
}

// initRemarks says what a person should know of the place where everything is.
func initRemarks(a *app.App, o *setup.Options) {
	root := a.ProjectRoot(a.Cwd)
	for _, note := range setup.Conflicts(setup.Files(root, product.ClientDir(a.Env), runtime.GOOS), o.Settings, setup.ReadFile) {
		a.Note(note)
	}
	if strings.HasPrefix(o.Bin, root+string(filepath.Separator)) {
		a.Note(o.Bin + " lies in the project, where the agent works; install the programs elsewhere (make install) and run this again")
	}
}
