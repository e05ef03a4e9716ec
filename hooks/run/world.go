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
	"guardrails/hooks/session"
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
		server := cmp.Or(reach.FindServer(self), "guardrails-server, which is missing")
		asker := &reach.Asker{CLI: reach.FindCLI(self), Server: server, Now: time.Now, WarmTimeout: warmTimeout, ColdTimeout: coldTimeout}
		if w.Dir != nil {
			asker.Socket = w.Dir.Path("server.sock")
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
	links := &resolver{}
	w = &hooks.World{
		Env: env, Now: time.Now, Began: time.Now(), Strict: strict(args), Client: os.Getppid(),
		Resolve: links.resolve, Exists: exists, List: list, Pending: pending, Guardless: guardless, Script: readScript, Worktree: worktrees, Committed: committed,
	}
	w.Dir, w.DirError = session.Open(env)
	if w.State, w.StateError = session.StateDir(env); w.StateError != nil && w.Dir != nil {
		// Records beside the session's files are better than none.
		w.State = filepath.Dir(w.Dir.Path("."))
	}
	self, _ = os.Executable()
	w.Guarded = guarded(w, env, self)
	return w, self
}

// settings are the variables of settings in the environment, and those that say where data lie. Which settings are known,
// who answers knows.
func settings() []string {
	var out []string
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if value != "" && (isPlace(name) || strings.HasPrefix(name, "GUARDRAILS_") && name != "GUARDRAILS_CACHE_DIR") {
			out = append(out, variable)
		}
	}
	return out
}

// isPlace reports whether a variable says where guidelines and records lie: a server that finds them elsewhere must not
// answer.
func isPlace(name string) bool {
	switch name {
	case "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "ELASTICSEARCH_URL":
		return true
	}
	return false
}

// guarded are the product's own files on this machine.
func guarded(w *hooks.World, env func(string) string, self string) []string {
	out := make([]string, 0, 10)
	if w.Dir != nil {
		out = append(out, w.Dir.Path("."))
	}
	if w.State != "" {
		out = append(out, w.State)
	}
	if data := env("XDG_DATA_HOME"); filepath.IsAbs(data) {
		out = append(out, filepath.Join(data, "guardrails"))
	} else if home := env("HOME"); filepath.IsAbs(home) {
		out = append(out, filepath.Join(home, ".local", "share", "guardrails"))
	}
	if dir := filepath.Dir(self); filepath.IsAbs(dir) {
		for _, name := range Binaries() {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out
}

// Binaries are the names of the product's programs.
func Binaries() []string {
	return []string{"guardrails", "guardrails-inject", "guardrails-subagent", "guardrails-enforce", "guardrails-stop", "guardrails-server"}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
