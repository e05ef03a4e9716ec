package doctor

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"guardrails/internal/product"
	"guardrails/setup"
)

// The hook entries of a project can contain only the name of a program, without a path. The client then finds the
// program on PATH.

// searchPath returns the PATH of the client's hooks. It also returns the settings file that sets PATH, or nil if no
// file sets it.
func (x *Examination) searchPath() (path string, by *settingsFile) {
	for i := range slices.Backward(x.files) {
		all, err := members(x.files[i].text)
		if err != nil {
			continue
		}
		var variables map[string]any
		_ = json.Unmarshal(all["env"], &variables) // the client ignores an env that is not an object
		if path, ok := variables["PATH"].(string); ok {
			return path, &x.files[i]
		}
	}
	return x.Env("PATH"), nil
}

// locate() returns the path of the program that a command starts, or "" if the name is not on PATH.
func (x *Examination) locate(command string) string {
	if command == "" || strings.ContainsAny(command, `/\`) {
		return command
	}
	path, _ := x.searchPath()
	return setup.Lookup(command, path, x.root, x.System == "windows")
}

// unstartable() returns the reason why the client cannot start a command, and a remedy. If the client can start the
// command, the result "why" is "".
func (x *Examination) unstartable(command string) (why, remedy string) {
	path := x.locate(command)
	if path != "" {
		return cannotRun(path, x.System), x.installAgain()
	}
	dir := filepath.Dir(x.Program)
	_, by := x.searchPath()
	switch {
	case by != nil:
		return command + " is not on the PATH that " + by.Path + " sets", "remove PATH from env in " + by.Path
	case x.Program != "" && cannotRun(setup.ProgramPath(dir, product.Enforce, x.System == "windows"), x.System) == "":
		return command + " is not on PATH", "add " + dir + " to PATH and start Claude Code again"
	}
	return command + " is not on PATH",
		"install guardrails again, add the folder of its programs to PATH, and start Claude Code again"
}

// inProject reports whether a program is in the project, where the agent works.
func (x *Examination) inProject(path string) bool {
	return strings.HasPrefix(path, filepath.Clean(x.root)+string(filepath.Separator))
}
