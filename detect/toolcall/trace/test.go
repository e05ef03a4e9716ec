package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// MarkTest notes that a command runs tests, unless its flags make it only list them or print its version or its help.
func (t *Trace) MarkTest(c *Command) {
	for _, v := range c.Args() {
		if v.Text == "--" {
			break
		}
		if runsNoTest(v.Text) {
			return
		}
	}
	if len(c.Argv) == 2 && words.OneOf(c.Argv[1].Text, "-V", "-h", "-version", "-help") {
		return
	}
	t.Mark(c, "", effect.TestRun)
}

// runsNoTest reports whether a flag makes the usual test programs run no test.
func runsNoTest(flag string) bool {
	return flag == words.Among(flag, "--version --help --collect-only --co --fixtures --markers --listTests --list-tests "+
		"--list --showConfig --no-run --dry-run --setup-plan") ||
		strings.HasPrefix(flag, "-DskipTests") || strings.HasPrefix(flag, "-Dmaven.test.skip")
}

// Hide notes for the commands from an effect on that the call may succeed although they failed.
func (t *Trace) Hide(from int, s effect.Status) {
	for i := min(from, len(t.Effects)); i < len(t.Effects); i++ {
		t.Effects[i].Status = max(t.Effects[i].Status, s)
	}
}

// HasPassed reports whether the commands that follow run only if a test succeeded, which is among the effects from an
// index on.
func (t *Trace) HasPassed(from int) bool {
	for i := min(from, len(t.Effects)); i < len(t.Effects); i++ {
		if e := &t.Effects[i]; e.Status == effect.StatusKept && e.Has(effect.TestRun) {
			return true
		}
	}
	return false
}
