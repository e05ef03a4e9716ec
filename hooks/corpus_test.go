package hooks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/decide"
	"guardrails/detect/tooluse"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/hooks/wire"
)

// labelled are the commands by which the engine's decisions are measured.
func labelled(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"dangerous*.json", "harmless*.json"} {
		files, err := filepath.Glob("../decide/testdata/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var list []struct{ Command string }
			if err := json.Unmarshal(text, &list); err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				out = append(out, c.Command)
			}
		}
	}
	return out
}

func TestTheHookDecidesEveryLabelledCommandAsTheEngineDoes(t *testing.T) {
	s := newStage(t, "pack:core")
	s.project = "/home/dev/code/app"
	s.env["CLAUDE_PROJECT_DIR"], s.env["HOME"] = s.project, "/home/dev"
	s.world.Ask = constant(s)
	set, err := evaluator.Compile(s.body.Guidelines)
	if err != nil {
		t.Fatal(err)
	}
	env := &tooluse.Env{Root: s.project, Cwd: s.project, Home: "/home/dev"}
	step := 1
	if testing.Short() {
		step = 10
	}
	for i, command := range labelled(t) {
		if i%step != 0 {
			continue
		}
		// Limits count what a session has done, so each command has a session of its own.
		e := s.event(wire.PreToolUse, with(s.bash(command), "session_id", fmt.Sprintf("s%d", i)))
		o := hooks.ToolCall(s.world, e)
		d := decide.Judge(set, guideline.Context{}, tooluse.AnalyzeCommand(env, command))
		want := map[decide.Outcome]string{decide.Deny: "deny", decide.Ask: "ask"}[d.Outcome]
		if want == "" {
			want = "pass"
		}
		if verdict(o) != want || want != "pass" && !strings.Contains(o.Reason, d.Guideline()) {
			t.Errorf("%s\nthe hook: %s %s\nthe engine: %s %s", command, verdict(o), o.Reason, want, d.Reason)
		}
	}
}

// constant answers every question with the same.
func constant(s *stage) func([]byte) (answer []byte, passed, err error) {
	answer, _, err := s.answer([]byte("{}"))
	return func([]byte) ([]byte, error, error) { return answer, nil, err }
}
