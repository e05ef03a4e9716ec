package setup

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"guardrails/cli/app"
	"guardrails/host"
	"guardrails/internal/product"
	"guardrails/setup"
	"guardrails/setup/claude"
)

// hasServer reports whether the server's program is installed. If it is not, hasServer prints a note.
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

// noteOldClient prints a note if the installed client is an old version that runs a tool call even if the hook for the
// call has failed.
func noteOldClient(a *app.App) {
	found, err := claude.Find(context.Background(), a.Env)
	if err == nil && !found.Version.Knows(claude.OnFailure) {
		a.Note("Claude Code " + found.Version.String() + " does not know onFailure (2.1.295 does), so a call runs unchecked if its " +
			"hook hangs; update the client")
	}
}

// noteConflicts prints notes about problems that other settings files cause.
func noteConflicts(a *app.App, plan *setup.Plan) {
	files := setup.Files(a.ProjectRoot(a.Cwd), product.ClientDir(a.Env), runtime.GOOS)
	for _, note := range plan.Conflicts(files, setup.ReadFile) {
		a.Note(note)
	}
}

// noteProgramsPlace prints a note if the programs are in a folder where the agent works.
func noteProgramsPlace(a *app.App, bin string) {
	if strings.HasPrefix(bin, a.ProjectRoot(a.Cwd)+string(filepath.Separator)) {
		a.Note(bin + " is in the project, where the agent works; " +
			"install the programs elsewhere (make install) and run init again")
	}
}

// notePath prints a note if PATH does not lead to any guardrails programs, or if it leads to programs in a folder other
// than the parameter "bin".
func notePath(a *app.App, o *setup.Options, bin string) {
	found := setup.Lookup(product.Enforce, a.Env("PATH"), o.Root, o.Windows)
	switch dir := filepath.Dir(found); {
	case found == "" && slices.Contains(filepath.SplitList(a.Env("PATH")), bin):
	case found == "":
		a.Note(product.Enforce + " is not on PATH, so Claude Code would block every call; add " + bin + " to PATH")
	case host.Resolve(dir) != host.Resolve(bin):
		a.Note("the first " + product.Enforce + " on PATH is in " + dir + ", and this program is in " + bin +
			"; remove one of the two")
	}
}
