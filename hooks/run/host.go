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
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Time limits for the server and for the guardrails program. If the hook's deadline is near, both limits are shorter,
// so that at least answerTime is left for the answer.
const (
	warmTimeout = 500 * time.Millisecond
	coldTimeout = 2500 * time.Millisecond
	answerTime  = 100 * time.Millisecond
	// stopTimeout replaces warmTimeout at the end of a turn, because the server may then ask a model whether the answer is
	// safe.
	stopTimeout = 2200 * time.Millisecond
)

// strictFlag is a flag for the hook in the client's settings. With this flag, the hook denies a call that it cannot
// check, instead of asking a person.
const strictFlag = "--strict"

func strict(args []string) bool { return slices.Contains(args, strictFlag) }

func newHost(args []string, env func(string) string, deadline, warm time.Duration) *hooks.Host {
	h, self := machine(args, env)
	h.Settings = settings
	h.Own = func(e *wire.Event, program string) ([]byte, error) { return reach.RunHook(program, e.Text) }
	h.Ask = func(request []byte) (answer []byte, passed, err error) {
		server := cmp.Or(reach.FindServer(self), product.Server+", which is missing")
		asker := &reach.Asker{
			CLI: reach.FindCLI(self), Server: server, Now: time.Now, WarmTimeout: warm, ColdTimeout: coldTimeout,
			Deadline: h.Began.Add(deadline - answerTime),
		}
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

// machine() returns a host whose field Ask is not set yet, and the path of the running program.
func machine(args []string, env func(string) string) (h *hooks.Host, self string) {
	h = &hooks.Host{Now: time.Now, Began: time.Now(), Strict: strict(args), Client: os.Getppid()}
	h.Dir, h.DirError = private.Runtime(env)
	if h.State, h.StateError = private.StateDir(env); h.StateError != nil && h.Dir != nil {
		// Writing the records next to the session's files is better than losing them.
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
	h.Machine, h.Program = host.New(env, self, folders...), self
	return h, self
}

// settings() returns the environment variables that override settings or contain the paths of the product's folders.
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
