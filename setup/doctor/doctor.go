// Package doctor checks every link from the client to a decision, and says of each that is not sound what is wrong with it
// and how to mend it.
//
// Start with Examine, which looks at what is there and changes nothing. Examination.Prove (live.go) lets the real client
// run harmless canaries through the very hooks of the settings, and says of each whether it fired.
package doctor

import (
	"context"
	"slices"
	"time"

	"guardrails/config"
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/setup/claude"
	"guardrails/store/live"
)

// State says how a link is.
type State string

// The states of a link. A Warning is something that a person should know and that works all the same.
const (
	OK      State = "ok"
	Warning State = "warning"
	Broken  State = "broken"
)

// Check is one link of the chain.
type Check struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	// Remedy says what to do; empty where there is nothing to do.
	Remedy string `json:"remedy,omitempty"`
}

// Options is what an examination needs from outside.
type Options struct {
	Env func(string) string
	Now func() time.Time
	// Cwd is the folder that the user stands in.
	Cwd string
	// Program is the path of the running command line, whose build the hooks are compared with; empty compares nothing.
	Program string
	// Find finds the client; nil is claude.Find.
	Find func(ctx context.Context, env func(string) string) (*claude.Client, error)
	// System is the operating system, as runtime.GOOS.
	System string
	// Open opens the store that settings name; nil looks at none.
	Open func(context.Context, *config.Config) (*live.Store, error)
}

// Examination is what was found.
type Examination struct {
	Options
	Checks []Check

	root  string
	files []settingsFile
	// client is nil when none was found.
	client *claude.Client
	// sessions is nil when the folder cannot be used.
	sessions *private.Dir
}

// Examine looks at every link.
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
	x.checkGuidelines()
	x.checkStore(ctx)
	x.checkFolders()
	x.checkServer()
	x.checkAnswer()
	x.checkFallback()
	x.checkSessions()
	return x
}

// Remedy is something to do, and the names of the checks that need it.
type Remedy struct {
	Text   string
	Checks []string
}

// Remedies returns the remedies of a list, each once, in the order of the checks.
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

// Failed reports whether a link of a list is broken.
func Failed(list []Check) bool {
	return slices.ContainsFunc(list, func(c Check) bool { return c.State == Broken })
}

func (x *Examination) add(name string, state State, detail, remedy string) {
	x.Checks = append(x.Checks, Check{name, state, detail, remedy})
}

// broken is the first link of these names that is broken.
func (x *Examination) broken(names ...string) (Check, bool) {
	for _, c := range x.Checks {
		if c.State == Broken && slices.Contains(names, c.Name) {
			return c, true
		}
	}
	return Check{}, false
}
