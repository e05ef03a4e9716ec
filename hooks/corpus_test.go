package hooks_test

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/internal/fortests/labeledcommands"
)

func TestTheHookDecidesEveryLabelledCommandAsTheEngineDoes(t *testing.T) {
	s := newStage(t, "pack:core")
	s.project = "/home/dev/code/app"
	s.env["CLAUDE_PROJECT_DIR"], s.env["HOME"] = s.project, "/home/dev"
	s.host.Ask = constant(s)
	set, err := evaluator.Compile(s.body.Layers[0].Guidelines)
	if err != nil {
		t.Fatal(err)
	}
	env := &toolcall.Env{Root: s.project, Cwd: s.project, Home: "/home/dev"}
	step := 1
	if testing.Short() {
		step = 10
	}
	for i, command := range labeledcommands.Commands(t, "..", "dangerous*.json", "harmless*.json") {
		if i%step != 0 {
			continue
		}
		// Some guidelines limit what a session may do in total, so each command runs in its own session.
		e := s.event(wire.PreToolUse, with(s.bash(command), "session_id", fmt.Sprintf("s%d", i)))
		o := hooks.ToolCall(s.host, e)
		d := decide.Judge(decide.Alone(set, guideline.Context{}), toolcall.AnalyzeCommand(env, command), decide.Facts{})
		want := map[decide.Outcome]string{decide.Deny: "deny", decide.Ask: "ask"}[d.Outcome]
		if want == "" {
			want = "pass"
		}
		if verdict(o) != want || want != "pass" && !strings.Contains(o.Reason, d.Guideline()) {
			t.Errorf("%s\nthe hook: %s %s\nthe engine: %s %s", command, verdict(o), o.Reason, want, d.Reason)
		}
	}
}

// constant() returns a source of guidelines that always sends the same answer.
func constant(s *stage) func([]byte) (answer []byte, passed, err error) {
	answer, _, err := s.answer([]byte("{}"))
	return func([]byte) ([]byte, error, error) { return answer, nil, err }
}
