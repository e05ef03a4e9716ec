// Package doctor checks each step on the way from the client to a decision, and says how to fix each problem.
//
// Start with Examine, which changes nothing. Examination.Prove (live.go) lets the real client run harmless actions, the
// canaries, through the hooks in the settings. Prove reports which canaries fired.
package doctor

import (
	"context"
	"slices"
	"time"

	"guardrails/config"
	"guardrails/host"
	"guardrails/internal/kernelclock"
	"guardrails/internal/private"
	"guardrails/setup/claude"
	"guardrails/store/live"
)

// State is the result of a check.
type State string

// The states. With a Warning, everything works, but the user should know something.
const (
	OK      State = "ok"
	Warning State = "warning"
	Broken  State = "broken"
)

// Check is the result for one step on the way from the client to a decision.
type Check struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	// Remedy says what to do, or is "".
	Remedy string `json:"remedy,omitempty"`
}

// Options configures an examination.
type Options struct {
	Env func(string) string
	Now func() time.Time
	// The function Kernel asks the kernel about the clock. It may be nil.
	Kernel func() (kernelclock.Reading, bool)
	// Cwd is the user's working directory.
	Cwd string
	// Program is the path of the running guardrails program. Its build is compared with the builds of the hooks. If
	// Program is empty, there is no comparison.
	Program string
	// Find finds the client; nil means claude.Find.
	Find func(ctx context.Context, env func(string) string) (*claude.Client, error)
	// System is the operating system, as in runtime.GOOS.
	System string
	// Open opens the configured store. If it is nil, the store is not checked.
	Open func(context.Context, *config.Config) (*live.Store, error)
}

// Examination is the result of Examine.
type Examination struct {
	Options
	Checks []Check

	root  string
	files []settingsFile
	// The field "client" is nil if no client was found.
	client *claude.Client
	// The field "detectors" says which detectors are switched on.
	detectors config.Detectors
	// The field "safety" says what the safety gate does.
	safety config.Safety
	// The field "sessions" is nil if the folder for sessions cannot be used.
	sessions *private.Dir
}

// Examine makes all checks.
func Examine(ctx context.Context, o Options) *Examination {
	x := &Examination{Options: o, root: host.Root(o.Env, o.Cwd)}
	if x.Find == nil {
		x.Find = claude.Find
	}
	x.readSettings()
	x.checkClient(ctx)
	x.checkSettings()
	x.checkHooks()
	x.checkPrograms()
	x.checkPlace()
	x.checkGuidelines(ctx)
	x.checkStore(ctx)
	x.checkFolders()
	x.checkServer()
	x.checkPage()
	x.checkAnswer()
	x.checkFallback()
	x.checkSessions()
	return x
}

// Remedy has the text of a remedy, and the names of the checks that need this remedy.
type Remedy struct {
	Text   string
	Checks []string
}

// Remedies returns the remedies of the checks, in the order of the checks. Each remedy occurs once.
func Remedies(list []Check) []Remedy {
	var out []Remedy
	for _, c := range list {
		if c.Remedy == "" {
			continue
		}
		i := slices.IndexFunc(out, func(r Remedy) bool { return r.Text == c.Remedy })
		if i < 0 {
			i, out = len(out), append(out, Remedy{Text: c.Remedy})
		}
		out[i].Checks = append(out[i].Checks, c.Name)
	}
	return out
}

// Failed reports whether one of the checks is Broken.
func Failed(list []Check) bool {
	return slices.ContainsFunc(list, func(c Check) bool { return c.State == Broken })
}

func (x *Examination) add(name string, state State, detail, remedy string) {
	x.Checks = append(x.Checks, Check{name, state, detail, remedy})
}

// broken() returns the first broken check that has one of the given names.
func (x *Examination) broken(names ...string) (Check, bool) {
	for _, c := range x.Checks {
		if c.State == Broken && slices.Contains(names, c.Name) {
			return c, true
		}
	}
	return Check{}, false
}
