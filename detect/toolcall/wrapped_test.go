package toolcall

import (
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
)

// TestWrappedCommandsAreJudgedAsCommands reads testdata/wrapped.txt. The file itself explains its lines.
func TestWrappedCommandsAreJudgedAsCommands(t *testing.T) {
	text, err := os.ReadFile("testdata/wrapped.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen, runs, loud, silent := 0, 0, 0, 0
	isDanger := func(e effect.Effect) bool { return e.Has(effect.SystemDelete) }
	quiet := func(command string) {
		silent++
		for _, e := range AnalyzeCommand(tableEnv(), command).Effects {
			if dangerous := slices.DeleteFunc(slices.Clone(e.Events), harmlessInWrapper); len(dangerous) > 0 {
				loud++
				t.Errorf("has events: %s: %v %s", command, e.Events, e.Reason)
				return
			}
		}
	}
	for line := range strings.Lines(string(text)) {
		kind, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch kind {
		case "runs":
			runs++
			dangerous := strings.ReplaceAll(command, "{}", "rm -rf /etc")
			if got := AnalyzeCommand(tableEnv(), dangerous); slices.ContainsFunc(got.Effects, isDanger) {
				seen++
			} else {
				t.Errorf("is not seen: %s\n%s", dangerous, report(got))
			}
			quiet(strings.ReplaceAll(command, "{}", "ls -la"))
		case "data":
			quiet(strings.ReplaceAll(command, "{}", "rm -rf /etc"))
		}
	}
	t.Logf("%d of %d commands in wrappers are seen; %d of %d harmless calls have events", seen, runs, loud, silent)
}

// harmlessInWrapper reports whether a wrapper may add an event to a harmless command. For example, a wrapper adds an
// event because it runs the command as another user.
func harmlessInWrapper(e effect.Event) bool {
	switch e {
	case effect.Commit, effect.RemoteExecution, effect.Privilege, effect.PrivilegeGain, effect.TestRun, effect.DevopsInvoked, effect.ContainerEscape,
		effect.OpaqueExecution:
		return true
	}
	return false
}
