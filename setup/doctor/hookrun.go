package doctor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"time"

	"guardrails/setup"
)

const hookTimeout = 10 * time.Second

// exitBlock is the exit code with which a hook stops the call. With any other code, the client runs the call.
const exitBlock = 2

// run() starts one hook as the client does.
func (s *stage) run(ctx context.Context, a act, e *setup.Entry) (reply, error) {
	patience := hookTimeout
	if e.Timeout > 0 {
		patience = min(patience, time.Duration(e.Timeout*float64(time.Second)))
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, cmp.Or(s.x.locate(e.Command), e.Command), e.Args...)
	if e.Args == nil {
		cmd = exec.CommandContext(ctx, "sh", "-c", e.Command)
	}
	input, err := s.document(&a)
	if err != nil {
		return reply{}, err
	}
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = s.project, bytes.NewReader(input), time.Second
	cmd.Env = append(s.environment(), "HOME="+s.home, "CLAUDE_PROJECT_DIR="+s.project, "CLAUDECODE=1",
		"CLAUDE_CODE_SESSION_ID="+s.session)
	cmd.Env = append(cmd.Env, a.env...)
	out, err := cmd.Output()
	ended, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case ok && ended.ExitCode() == exitBlock:
		said := understood(out, string(ended.Stderr))
		said.stopped = true
		return said, nil
	case ok:
		return reply{}, fmt.Errorf("exit code %d: %s", ended.ExitCode(), ended.Stderr)
	case err != nil:
		return reply{}, err
	}
	return understood(out, ""), nil
}

// document() returns the event as the client writes it to the stdin of a hook.
func (s *stage) document(a *act) ([]byte, error) {
	fields := map[string]any{
		"session_id": s.session, "cwd": s.project, "hook_event_name": a.event,
		"permission_mode": "acceptEdits",
	}
	maps.Copy(fields, a.fields)
	return json.Marshal(fields)
}

// understood() reads a hook's output in the same way as the client.
func understood(stdout []byte, stderr string) reply {
	var answer struct {
		Message  string `json:"systemMessage"`
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
		Specific struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
			Context  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(stdout, &answer); err != nil {
		return reply{reason: stderr}
	}
	said := answer.Specific
	out := reply{
		stopped: said.Decision == "deny" || said.Decision == "ask", reason: said.Reason, context: said.Context,
		message: answer.Message,
	}
	if answer.Decision == "block" {
		out.counter = answer.Reason
	}
	if out.reason == "" {
		out.reason = stderr
	}
	return out
}
