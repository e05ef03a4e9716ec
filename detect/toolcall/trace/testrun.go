package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// MarkTest notes that a command runs tests. It does nothing if the flags make the command only list the tests, or print
// its version or help.
func (t *Trace) MarkTest(c *Command) {
	for _, v := range c.Args() {
		if v.Text == "--" {
			break
		}
		if runsNoTest(v.Text) {
			return
		}
	}
	if len(c.Argv) == 2 && words.OneOf(c.Argv[1].Text, "-V -h -version -help") {
		return
	}
	t.Mark(c, "", effect.TestRun)
}

// runsNoTest reports whether a flag keeps the usual test programs from running any test.
func runsNoTest(flag string) bool {
	return flag == words.Among(flag, "--version --help --collect-only --co --fixtures --markers --listTests --list-tests "+
		"--list --showConfig --no-run --dry-run --setup-plan") ||
		strings.HasPrefix(flag, "-DskipTests") || strings.HasPrefix(flag, "-Dmaven.test.skip")
}

// Hide goes through all effects from the index in the parameter "from". The parameter s is a status. Hide raises each
// lower status to s. It is for commands that may fail although the call as a whole succeeds.
func (t *Trace) Hide(from int, s effect.Status) {
	t.Spend(max(0, len(t.Effects)-from))
	for i := min(from, len(t.Effects)); i < len(t.Effects); i++ {
		t.Effects[i].Status = max(t.Effects[i].Status, s)
	}
}

// Require marks the effects of the commands that must have succeeded before the current command runs.
func (t *Trace) Require() {
	if t.Since == 0 {
		return
	}
	t.Spend(max(0, len(t.Effects)-t.Since))
	for i := t.Since - 1; i < len(t.Effects); i++ {
		e := &t.Effects[i]
		e.Required = e.Required || e.Status == effect.StatusKept
	}
}
