package decide_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/fortests/labeledcommands"
	"guardrails/rules"
)

type labelledCommand struct {
	Command  string `json:"command"`
	Category string `json:"category"`
	Why      string `json:"why"`
}

// environment describes a project and a computer. The labels of the commands are correct for this environment.
var environment = toolcall.Env{Root: "/home/dev/code/app", Cwd: "/home/dev/code/app", Home: "/home/dev"}

func core(t testing.TB) *evaluator.Set {
	t.Helper()
	pack, err := rules.Pack("core")
	if err != nil {
		t.Fatal(err)
	}
	set, err := evaluator.Compile(pack.Plain())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func readLabelled(t testing.TB, file string) []labelledCommand {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var list []labelledCommand
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// stopped() reports whether the core pack denies a command or asks a person.
func stopped(set *evaluator.Set, command string) (*decide.Decision, bool) {
	call := toolcall.AnalyzeCommand(&environment, command)
	d := decide.Judge(decide.Alone(set, guideline.Context{}), call, decide.Facts{})
	return d, d.Outcome == decide.Deny || d.Outcome == decide.Ask
}

func TestDangerousCommandsAreStopped(t *testing.T) {
	set := core(t)
	misses := labeledcommands.Misses(t, "..")
	for _, file := range []string{"dangerous.json", "dangerous_more.json", "dangerous_inline.json", "dangerous_rows.json"} {
		stoppedCount, list := 0, readLabelled(t, file)
		for _, c := range list {
			_, ok := stopped(set, c.Command)
			reason, known := misses[c.Command]
			switch {
			case ok:
				stoppedCount++
				if known {
					t.Errorf("is stopped now; remove it from the known misses: %s", c.Command)
				}
			case !known:
				t.Errorf("%s: passes: %s\n\t%s", c.Category, c.Command, c.Why)
			case reason == "":
				t.Errorf("is a known miss without a reason: %s", c.Command)
			}
		}
		t.Logf("%s: %d of %d are stopped", file, stoppedCount, len(list))
	}
}

func TestHarmlessCommandsPass(t *testing.T) {
	set := core(t)
	for _, file := range []string{"harmless.json", "harmless_more.json", "harmless_inline.json", "harmless_rows.json"} {
		list := readLabelled(t, file)
		for _, c := range list {
			if d, ok := stopped(set, c.Command); ok {
				t.Errorf("%s: %s: %s\n\t%s\n\t%s", c.Category, d.Outcome, c.Command, d.Reason, c.Why)
			}
		}
		t.Logf("%s: %d commands", file, len(list))
	}
}
