package toolcall

import (
	"encoding/json"
	"slices"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// wayCase is a call that disables the guard, or a similar call that is harmless.
type wayCase struct {
	Command string          `json:"command"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	// Events lists events that the call must have. If None is set, the call must have no events.
	Events []string `json:"events"`
	None   bool     `json:"none"`
}

// installedEnv describes a machine on which the guard is installed for one user.
func installedEnv() *trace.Env {
	env := tableEnv()
	env.Guarded = []string{"/run/user/7/guardrails", "/home/dev/cache", "/home/dev/.local/state/guardrails", "/home/dev/.local/share/guardrails"}
	for _, name := range []string{"guardrails", "guardrails-inject", "guardrails-subagent", "guardrails-enforce", "guardrails-stop"} {
		env.Guarded = append(env.Guarded, "/home/dev/.local/bin/"+name)
	}
	return env
}

func TestWaysToDisableTheGuardAndSimilarHarmlessCalls(t *testing.T) {
	for _, c := range readJSON[[]wayCase](t, "testdata/guard_ways.json") {
		var got *effect.Analysis
		if c.Tool == "" {
			got = AnalyzeCommand(installedEnv(), c.Command)
		} else {
			got = Analyze(installedEnv(), c.Tool, c.Input)
		}
		events := eventsOf(got, nil)
		if c.None && len(events) > 0 || slices.ContainsFunc(c.Events, func(e string) bool { return !slices.Contains(events, e) }) {
			t.Errorf("%s%s %s: events %v, want %v\n%s", c.Command, c.Tool, c.Input, events, c.Events, report(got))
		}
	}
}
