package decide_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"guardrails/decide"
	"guardrails/detect/tooluse"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
)

type labelled struct {
	Command  string `json:"command"`
	Category string `json:"category"`
	Why      string `json:"why"`
}

// environment is a project on a workstation, as the labels mean it.
var environment = tooluse.Env{Root: "/home/dev/work/app", Cwd: "/home/dev/work/app", Home: "/home/dev"}

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

func readLabelled(t testing.TB, file string) []labelled {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var list []labelled
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// stopped reports whether the core pack denies a command or asks a person.
func stopped(set *evaluator.Set, command string) (*decide.Decision, bool) {
	call := tooluse.AnalyzeCommand(&environment, command)
	d := decide.Judge(set, guideline.Context{}, call)
	return d, d.Outcome == decide.Deny || d.Outcome == decide.Ask
}

func TestDangerousCommandsAreStopped(t *testing.T) {
	set := core(t)
	list := readLabelled(t, "dangerous.json")
	missed := 0
	for _, c := range list {
		if _, ok := stopped(set, c.Command); !ok {
			missed++
			t.Errorf("%s: passes: %s\n\t%s", c.Category, c.Command, c.Why)
		}
	}
	t.Logf("%d of %d dangerous commands are stopped", len(list)-missed, len(list))
}

func TestHarmlessCommandsPass(t *testing.T) {
	set := core(t)
	list := readLabelled(t, "harmless.json")
	alarms := 0
	for _, c := range list {
		if d, ok := stopped(set, c.Command); ok {
			alarms++
			t.Errorf("%s: %s: %s\n\t%s\n\t%s", c.Category, d.Outcome, c.Command, d.Reason, c.Why)
		}
	}
	t.Logf("%d of %d harmless commands pass", len(list)-alarms, len(list))
}
