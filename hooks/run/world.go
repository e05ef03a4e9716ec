package run

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/reach"
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// How long the ways to the guidelines may take; together they stay below Deadline.
const (
	warmTimeout = 500 * time.Millisecond
	coldTimeout = 2500 * time.Millisecond
)

// strictFlag is how the settings entry of a program asks for refusals where others ask.
const strictFlag = "--strict"

// strict reports whether the settings entry asks for refusals where others ask.
func strict(args []string) bool { return slices.Contains(args, strictFlag) }

// newWorld is the machine that the hook's process runs on.
func newWorld(args []string, env func(string) string) *hooks.World {
	w, self := machine(args, env)
	w.Settings = settings
	w.Ask = func(request []byte) (answer []byte, passed, err error) {
		server := cmp.Or(reach.FindServer(self), product.Server+", which is missing")
		asker := &reach.Asker{CLI: reach.FindCLI(self), Server: server, Now: time.Now, WarmTimeout: warmTimeout, ColdTimeout: coldTimeout}
		if w.Dir != nil {
			asker.Socket = w.Dir.Path(product.SocketFile)
		}
		answer, _, err = asker.Ask(request)
		if passed = asker.Passed; reach.Absent(passed) {
			passed = nil
		}
		return answer, passed, err
	}
	return w
}

// machine is all of the world but how guidelines are asked for; self is the program that runs.
func machine(args []string, env func(string) string) (w *hooks.World, self string) {
	w = &hooks.World{Now: time.Now, Began: time.Now(), Strict: strict(args), Client: os.Getppid()}
	w.Dir, w.DirError = private.Runtime(env)
	if w.State, w.StateError = private.StateDir(env); w.StateError != nil && w.Dir != nil {
		// Records beside the session's files are better than none.
		w.State = filepath.Dir(w.Dir.Path("."))
	}
	self, _ = os.Executable()
	var folders []string
	if w.Dir != nil {
		folders = append(folders, w.Dir.Path("."))
	}
	if w.State != "" {
		folders = append(folders, w.State)
	}
	w.Machine = host.New(env, self, folders...)
	return w, self
}

// settings are the variables of settings in the environment, and those that say where data lie. Which settings are known,
// who answers knows.
func settings() []string {
	var out []string
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if value != "" && (product.IsLocation(name) || product.IsSetting(name)) {
			out = append(out, variable)
		}
	}
	return out
}
