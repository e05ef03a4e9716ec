//go:build unix

package killed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// perSession is how many tool calls a session has before the next one begins, which has to ask anew.
const perSession = 6

// overHooks is a client: sessions one after the other, with a prompt and tool calls of which every other one is refused.
func (s *stage) overHooks(ctx context.Context, name string, l *ledger) {
	for n := 0; ctx.Err() == nil; n++ {
		session := fmt.Sprintf("%s-%d", name, n)
		s.hook(l, "guardrails-inject", true, map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": "go on"})
		for i := range perSession {
			folder := []string{"open", "locked"}[i%2]
			call := map[string]any{
				"hook_event_name": "PreToolUse", "session_id": session, "tool_use_id": fmt.Sprintf("%s-%d", session, i), "tool_name": "Write",
				"tool_input": map[string]any{"file_path": s.project + "/" + folder + "/a.go", "content": "x"},
			}
			s.hook(l, "guardrails-enforce", folder == "open", call)
		}
	}
}

// hook runs a hook, which must pass or must refuse.
func (s *stage) hook(l *ledger, program string, pass bool, event map[string]any) {
	event["cwd"], event["permission_mode"] = s.project, "default"
	text, err := json.Marshal(event)
	if err != nil {
		l.wrong("%v", err)
		return
	}
	var out, said bytes.Buffer
	c := s.command(program)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &out, &said
	err = c.Run()
	asked := strings.Contains(out.String(), `"ask"`) || strings.Contains(out.String(), `"deny"`)
	id, _ := event["tool_use_id"].(string)
	switch {
	case pass && (err != nil || asked):
		l.wrong("%s of %s must pass: %v %s %s", program, id, err, &out, &said)
	case !pass && c.ProcessState.ExitCode() != 2:
		l.wrong("%s of %s must be refused: %v %s %s", program, id, err, &out, &said)
	case !pass:
		l.note(&l.refused, id)
	}
}
