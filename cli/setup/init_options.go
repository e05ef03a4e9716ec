package setup

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"guardrails/cli/app"
	"guardrails/internal/product"
	"guardrails/setup"
	"guardrails/setup/claude"
)

// initOptions returns the options that the flags of init describe.
func initOptions(a *app.App, f *initFlags) (*setup.Options, error) {
	target, err := initTarget(a, f)
	if err != nil {
		return nil, err
	}
	o := &setup.Options{
		Target: target, Windows: runtime.GOOS == "windows", Packs: f.withCore(), NoCore: f.noCore, Strict: f.strict,
		Uninstall: f.uninstall, Read: target.ReadFile,
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
	return o, choosePrograms(a, o, f)
}

// withCore returns the packs from the flags. If there are any packs and --no-core is not set, the result also has the
// pack "core".
func (f *initFlags) withCore() []string {
	if f.noCore || len(f.packs) == 0 || slices.Contains(f.packs, "core") {
		return f.packs
	}
	return append([]string{"core"}, f.packs...)
}

// choosePrograms decides how the client starts the hooks and the server, and sets the options accordingly.
func choosePrograms(a *app.App, o *setup.Options, f *initFlags) error {
	c, err := a.Config()
	if err != nil && !f.user {
		return err
	}
	o.Mask = c.Display.Mask
	bin, err := a.HookPrograms()
	if err != nil {
		return err
	}
	noteProgramsPlace(a, bin)
	if f.user || f.local {
		// With a person's own settings, the client must start these programs, even if a project sets PATH.
		o.Bin = bin
		noteOldClient(a)
		return nil
	}
	notePath(a, o, bin)
	switch {
	case f.direct:
		return useDirectHooks(a, o)
	case !f.directGiven && callsServer(o):
		if err := useDirectHooks(a, o); err != nil {
			a.Note("the hooks in the project's settings call the server directly. init keeps them, but there is a problem: " +
				strings.TrimPrefix(err.Error(), "guardrails init: "))
			o.Direct, o.MCP = true, true
		}
		return nil
	}
	noteOldClient(a)
	o.MCP = hasServer(a)
	return nil
}

// callsServer reports whether the settings make the client call the server instead of hook programs.
func callsServer(o *setup.Options) bool {
	text, err := o.Read(o.Settings)
	if err != nil {
		return false
	}
	entries, _ := setup.Hooks(o.Settings, text) // Prepare reports a malformed file
	return slices.ContainsFunc(entries, func(e setup.Entry) bool { return e.Direct() })
}

// useDirectHooks makes the client call the server instead of hook programs. It returns an error if there is no server.
// It also returns an error if the client would run tool calls while the server does not answer.
func useDirectHooks(a *app.App, o *setup.Options) error {
	const otherwise = ", or run init --direct=false, so that the client starts programs instead of calling a server"
	found, err := claude.Find(context.Background(), a.Env)
	switch {
	case err != nil:
		return app.Failf("guardrails init: could not determine whether the client blocks calls while the server is not "+
			"running: %v; fix this and run init again%s", err, otherwise)
	case !found.Version.Knows(claude.DirectHooks):
		return app.Failf("guardrails init: Claude Code %s lets calls run while the server is not running, so nothing "+
			"would be checked (2.1.328 and later block them); update the client%s", found.Version, otherwise)
	case a.ServerProgram == nil:
		return app.Failf("guardrails init: this program has no server that the client could call; "+
			"run init with the installed program guardrails%s", otherwise)
	}
	if _, err := a.ServerProgram(); err != nil {
		return app.Failf("guardrails init: there is no server that the client could call: %v%s", err, otherwise)
	}
	o.Direct, o.MCP = true, true
	return nil
}

// initTarget returns the target that the flags choose: the current project, all projects of the user, or the current
// project for this user only.
func initTarget(a *app.App, f *initFlags) (setup.Target, error) {
	user := setup.ForUser(product.ClientDir(a.Env), product.ConfigDir(a.Env))
	if f.user && (!filepath.IsAbs(user.Settings) || !filepath.IsAbs(user.Config)) {
		return setup.Target{}, app.Failf("guardrails init: cannot find your own settings; set HOME")
	}
	if f.user {
		return user, nil
	}
	root := a.ProjectRoot(a.Cwd)
	target := setup.ForProject(root)
	if target.Settings == user.Settings {
		return setup.Target{}, app.Usagef("guardrails init: %s is your home folder, whose settings apply to all "+
			"projects; run init in a project, or with --user", root)
	}
	if f.local {
		return setup.ForPerson(root), nil
	}
	return target, nil
}
