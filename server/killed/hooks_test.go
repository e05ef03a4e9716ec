//go:build unix

package killed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// perSession is the number of tool calls in each session. Each new session has to request its guidelines.
const perSession = 6

// runHooks plays one session after the other: it runs the hooks of a prompt and of some tool calls. The hook must
// refuse every second call.
func (s *fixture) runHooks(ctx context.Context, name string, l *ledger) {
	for n := 0; ctx.Err() == nil; n++ {
		session := fmt.Sprintf("%s-%d", name, n)
		s.hook(l, "guardrails-inject", true, map[string]any{
			"hook_event_name": "UserPromptSubmit", "session_id": session,
			"prompt": "go on",
		})
		for i := range perSession {
			folder := []string{"open", "locked"}[i%2]
			call := map[string]any{
				"hook_event_name": "PreToolUse", "session_id": session, "tool_use_id": fmt.Sprintf("%s-%d", session, i),
				"tool_name":  "Write",
				"tool_input": map[string]any{"file_path": s.project + "/" + folder + "/a.go", "content": "x"},
			}
			s.hook(l, "guardrails-enforce", folder == "open", call)
		}
	}
}

// hook runs a hook. The hook must let the event pass if pass is set, and refuse it otherwise.
func (s *fixture) hook(l *ledger, program string, pass bool, event map[string]any) {
	event["cwd"], event["permission_mode"] = s.project, "default"
	text, err := json.Marshal(event)
	if err != nil {
		l.problem("%v", err)
		return
	}
	var stdout, stderr bytes.Buffer
	c := s.command(program)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &stdout, &stderr
	err = c.Run()
	stopped := strings.Contains(stdout.String(), `"ask"`) || strings.Contains(stdout.String(), `"deny"`)
	id, _ := event["tool_use_id"].(string)
	switch {
	case pass && (err != nil || stopped):
		l.problem("%s of %s must pass: %v %s %s", program, id, err, &stdout, &stderr)
	case !pass && c.ProcessState.ExitCode() != 2:
		l.problem("%s of %s must be refused: %v %s %s", program, id, err, &stdout, &stderr)
	case !pass:
		l.add(&l.refused, id)
	}
}
