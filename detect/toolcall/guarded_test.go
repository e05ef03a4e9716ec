package toolcall

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// guardedCase is a test case with a call. Tampers is set if the call changes the guard's own files on the machine.
type guardedCase struct {
	Command string          `json:"command"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Tampers bool            `json:"tampers"`
}

// guardedEnv describes a machine on which the files in Env.Guarded are the guard's files. A link in the project leads
// to one of these files.
func guardedEnv() *trace.Env {
	env := tableEnv()
	env.Guarded = []string{
		"/run/user/7/guardrails", "/tmp/guardrails-7", "/home/dev/.local/state/guardrails", "/opt/guard/guardrails-enforce", "/opt/guard/guardrails",
	}
	env.Resolve = func(path string) string {
		if rest, ok := strings.CutPrefix(path, "/home/dev/project/link/"); ok {
			return "/run/user/7/guardrails/" + rest
		}
		return path
	}
	return env
}

func TestTheGuardsFilesAreRecognizedUnderEveryName(t *testing.T) {
	for _, c := range readJSON[[]guardedCase](t, "testdata/guarded.json") {
		var got *effect.Analysis
		if c.Tool == "" {
			got = AnalyzeCommand(guardedEnv(), c.Command)
		} else {
			got = Analyze(guardedEnv(), c.Tool, c.Input)
		}
		if tampers := slices.ContainsFunc(got.Effects, func(e effect.Effect) bool { return e.Has(effect.GuardTamper) }); tampers != c.Tampers {
			t.Errorf("%s%s %s: tampers %v, want %v\n%s", c.Command, c.Tool, c.Input, tampers, c.Tampers, report(got))
		}
	}
}
