//go:build unix

package run_test

import (
	"os"
	"path/filepath"
	"time"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// shifted() returns a function that moves the times of all files of the sessions by the given duration.
func shifted(by time.Duration) func(*machine, []string) {
	return func(m *machine, sessions []string) {
		stamped(by)(m, sessions)
		files, err := filepath.Glob(m.sessions + "/*")
		must(m.t, err)
		for _, file := range files {
			must(m.t, os.Chtimes(file, time.Now().Add(by), time.Now().Add(by)))
		}
	}
}

// processScenarios returns scenarios about the clock, and about hooks that crash, hang or are killed.
func processScenarios() map[string]scenario {
	return map[string]scenario{
		"the clock was set back a day":    {spoil: shifted(24 * time.Hour)},
		"the clock was set forward a day": {spoil: shifted(-24 * time.Hour)},
		"the hook crashes":                {spoil: onlyOnce(func(m *machine) { m.tasks = []string{breaks} })},
		"the hook gives no answer":        {spoil: onlyOnce(func(m *machine) { m.tasks = []string{hangs} }), only: []string{"denied", "strict", "after", "prompt", "stop"}, slow: true},
		"a hook was killed while writing": {spoil: func(m *machine, sessions []string) {
			for _, of := range sessions {
				// Perhaps all hooks that were killed are hooks that run after a call. In that case, the next prompt
				// would say that no call was checked. So the test creates the file that a hook before a call would have
				// written.
				aFile(m, m.sessions+"/"+session.BeatName(of, wire.PreToolUse))
				killMany(m, of, 3)
			}
		}},
		"a hundred hooks run at the same time": {spoil: onlyOnce(func(m *machine) { storm(m, "free") })},
	}
}
