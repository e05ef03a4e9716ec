package toolcall

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/git"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// swapCase is a test case with a command. The field Asks lists the changes of the working tree for which the analysis
// must call Env.Guardless.
type swapCase struct {
	Command string   `json:"command"`
	Asks    []string `json:"asks"`
	// Tampers is set if the command must have the event guard_tamper. In the test, the guard's files are missing in the
	// revision "nog" and in an empty tree. A command that deletes untracked or ignored files also deletes the guard's
	// files.
	Tampers bool `json:"tampers"`
}

// changeLine returns a change in the form that the table uses, such as "HEAD nog merge forced".
func changeLine(c trace.TreeChange) string {
	words := []string{words.OrElse(c.From, "HEAD"), words.OrElse(c.To, "staged")}
	for _, flag := range []struct {
		on   bool
		name string
	}{{c.Merge, "merge"}, {c.Forced, "forced"}, {c.Overlay, "overlay"}, {c.Untracked, "untracked"}, {c.Ignored, "ignored"}} {
		if flag.on {
			words = append(words, flag.name)
		}
	}
	return strings.Join(words, " ")
}

func TestChangesOfTheWorkingTreeThatRemoveTheGuardAreMarked(t *testing.T) {
	for _, c := range readJSON[[]swapCase](t, "testdata/guard_swaps.json") {
		var asked []string
		env := tableEnv()
		env.Guardless = func(change trace.TreeChange) bool {
			asked = append(asked, changeLine(change))
			return strings.Contains(change.From+change.To, "nog") || change.To == trace.NoFiles || change.Untracked || change.Ignored
		}
		got := AnalyzeCommand(env, c.Command)
		tampers := slices.ContainsFunc(got.Effects, func(e effect.Effect) bool { return e.Has(effect.GuardTamper) })
		if !slices.Equal(asked, c.Asks) || tampers != c.Tampers {
			t.Errorf("%s\n\tasks %q, want %q; tampers %v, want %v\n%s", c.Command, asked, c.Asks, tampers, c.Tampers, report(got))
		}
	}
}

func TestTheNumberOfTreeChecksInOneCallIsLimited(t *testing.T) {
	asked := 0
	env := tableEnv()
	env.Guardless = func(trace.TreeChange) bool { asked++; return false }
	got := AnalyzeCommand(env, strings.Repeat("git checkout a; ", 50))
	if asked != git.MaxTreeChecks || !slices.Contains(eventsOf(got, nil), string(effect.OpaqueExecution)) {
		t.Errorf("asked %d times, %v", asked, eventsOf(got, nil))
	}
}
