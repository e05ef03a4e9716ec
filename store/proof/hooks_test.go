package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// toolEvent is the event of a hook that decides about a tool call.
const toolEvent = "PreToolUse"

// perSession is the number of tool calls in each session. It is small, so that there are many sessions: each new
// session has to request its guidelines.
const perSession = 6

// runHooks plays one session after the other. In each session, it runs the hook of a prompt and the hooks of some tool
// calls.
func (l *load) runHooks(ctx context.Context, m *machine) {
	before := "none"
	for n := 0; ctx.Err() == nil; n++ {
		session := fmt.Sprintf("%s-%d", filepath.Base(m.dir), n)
		l.hook(m, "guardrails-inject", true, map[string]any{
			"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": "go on",
		})
		for i := range perSession {
			l.decideCall(m, session, i)
			pause(ctx, l.pace)
		}
		for _, any := range l.machines {
			l.readSession(ctx, any, before, refusedCall)
			l.readSession(ctx, any, session, refusedCall)
		}
		before = session
	}
}

// decideCall runs the hook of a tool call. The hook must refuse every second call of a session. decideCall reports
// whether the hook had enough time to decide.
func (l *load) decideCall(m *machine, session string, n int) bool {
	folder := []string{"open", "locked"}[n%2]
	return l.hook(m, "guardrails-enforce", folder == "open", toolCall(m, session, n, folder))
}

func toolCall(m *machine, session string, n int, folder string) map[string]any {
	return map[string]any{
		"hook_event_name": toolEvent, "session_id": session, "tool_use_id": fmt.Sprintf("%s-%d", session, n),
		"tool_name":  "Write",
		"tool_input": map[string]any{"file_path": m.project + "/" + folder + "/a.go", "content": "x"},
	}
}

// hook() runs a hook. If the parameter "pass" is true, the hook must let the event pass. Otherwise, the hook must
// refuse the event. On a busy computer, a hook may have too little time to decide. The hook then asks a person, and
// this method returns false.
func (l *load) hook(m *machine, program string, pass bool, event map[string]any) bool {
	event["cwd"], event["permission_mode"] = m.project, "default"
	text, err := json.Marshal(event)
	if err != nil {
		l.problem("%v", err)
		return false
	}
	var stdout, stderr bytes.Buffer
	c := m.command(program)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &stdout, &stderr
	began := time.Now()
	err = c.Run()
	late := strings.Contains(stdout.String(), "took too long") || strings.Contains(stdout.String(), "did not answer in time")
	l.ranHook(event["hook_event_name"], time.Since(began), late)
	stopped := strings.Contains(stdout.String(), `"ask"`) || strings.Contains(stdout.String(), `"deny"`)
	id, _ := event["tool_use_id"].(string)
	if !pass {
		// A refused call is recorded in the spool first, and in the audit some time later.
		l.added(m, event["session_id"].(string), id, began, false)
	}
	switch {
	case late && stopped:
		return false
	case pass && (err != nil || stopped):
		l.problem("%s of %s must pass: %v %s %s", program, id, err, &stdout, &stderr)
	case !pass && c.ProcessState.ExitCode() != 2:
		l.problem("%s of %s must be refused: %v %s %s", program, id, err, &stdout, &stderr)
	case !pass:
		l.add(&l.refused, id)
	}
	return true
}
