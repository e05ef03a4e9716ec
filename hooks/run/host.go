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

// newHost returns the host that the hook's process runs on.
func newHost(args []string, env func(string) string) *hooks.Host {
	h, self := machine(args, env)
	h.Settings = settings
	h.Ask = func(request []byte) (answer []byte, passed, err error) {
		server := cmp.Or(reach.FindServer(self), product.Server+", which is missing")
		asker := &reach.Asker{CLI: reach.FindCLI(self), Server: server, Now: time.Now, WarmTimeout: warmTimeout, ColdTimeout: coldTimeout}
		if h.Dir != nil {
			asker.Socket = h.Dir.Path(product.SocketFile)
		}
		answer, _, err = asker.Ask(request)
		if passed = asker.Passed; reach.Absent(passed) {
			passed = nil
		}
		return answer, passed, err
	}
	return h
}

// machine returns the host without a way to ask for guidelines, and the path of the program that runs.
func machine(args []string, env func(string) string) (h *hooks.Host, self string) {
	h = &hooks.Host{Now: time.Now, Began: time.Now(), Strict: strict(args), Client: os.Getppid()}
	h.Dir, h.DirError = private.Runtime(env)
	if h.State, h.StateError = private.StateDir(env); h.StateError != nil && h.Dir != nil {
		// Records beside the session's files are better than none.
		h.State = filepath.Dir(h.Dir.Path("."))
	}
	self, _ = os.Executable()
	var folders []string
	if h.Dir != nil {
		folders = append(folders, h.Dir.Path("."))
	}
	if h.State != "" {
		folders = append(folders, h.State)
	}
	h.Machine = host.New(env, self, folders...)
	return h, self
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
