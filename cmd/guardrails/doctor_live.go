package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"guardrails/settings"
)

// canary is a harmless event that a hook must answer in a certain way.
type canary struct {
	name, event string
	fields      map[string]any
	// fired reports whether the answer is the one that is wanted.
	fired func(stdout string, exit int) bool
	want  string
}

func canaries(root string) []canary {
	injected := func(stdout string, exit int) bool {
		return exit == 0 && strings.Contains(stdout, `"additionalContext"`)
	}
	own := map[string]any{"file_path": root + "/.claude/settings.json", "content": "{}"}
	return []canary{
		{"an injected line", "UserPromptSubmit", map[string]any{"prompt": "guardrails doctor"}, injected, "context for the model"},
		{"one in a subagent", "SubagentStart", map[string]any{"agent_id": "doctor", "agent_type": "backend"}, injected, "context for the subagent"},
		{
			"a denied write", "PreToolUse",
			map[string]any{"tool_name": "Write", "tool_input": own, "tool_use_id": "doctor-1"},
			func(stdout string, exit int) bool {
				return exit == 2 && strings.Contains(stdout, `"permissionDecision":"deny"`)
			}, "exit code 2 and a denial",
		},
		{
			"a denied command", "PreToolUse",
			map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "rm .claude/settings.json"}, "tool_use_id": "doctor-2"},
			func(stdout string, exit int) bool {
				return exit == 2 && strings.Contains(stdout, `"permissionDecision":"deny"`)
			}, "exit code 2 and a denial",
		},
		{
			"the end of a session", "SessionEnd",
			map[string]any{"reason": "other"},
			func(_ string, exit int) bool { return exit == 0 }, "exit code 0",
		},
	}
}

// canaries runs the commands of the settings with the canaries. Nothing of what the canaries speak of is done.
func (a *app) canaries(ctx context.Context, root string, entries []settings.Entry) []check {
	id := fmt.Sprintf("doctor-%d", time.Now().UnixNano())
	var out []check
	for _, c := range canaries(root) {
		out = append(out, a.canary(ctx, root, id, &c, entries))
	}
	return out
}

func (a *app) canary(ctx context.Context, root, id string, c *canary, entries []settings.Entry) check {
	result := check{Name: "live: " + c.name, State: broken, Remedy: "see the lines above; then guardrails init"}
	entry := hookFor(entries, c)
	if entry == nil {
		result.Detail = "NOT FIRED: no hook of the settings is for it"
		return result
	}
	stdout, exit, err := a.runHook(ctx, root, id, c, entry)
	switch {
	case err != nil:
		result.Detail = "NOT FIRED: " + err.Error()
	case !c.fired(stdout, exit):
		result.Detail = fmt.Sprintf("NOT FIRED: exit code %d, where %s is expected", exit, c.want)
	default:
		return check{Name: result.Name, State: sound, Detail: "FIRED"}
	}
	return result
}

// hookFor is our hook that the client would run for a canary.
func hookFor(entries []settings.Entry, c *canary) *settings.Entry {
	tool, _ := c.fields["tool_name"].(string)
	for i := range entries {
		if e := &entries[i]; e.Event == c.event && e.Ours() && (e.SeesEverything() || tool != "" && strings.Contains("|"+e.Matcher+"|", "|"+tool+"|")) {
			return e
		}
	}
	return nil
}

// hookTimeout is as long as the settings give a hook.
const hookTimeout = 10 * time.Second

func (a *app) runHook(ctx context.Context, root, id string, c *canary, e *settings.Entry) (stdout string, exit int, err error) {
	ctx, cancel := context.WithTimeout(ctx, hookTimeout)
	defer cancel()
	fields := map[string]any{"session_id": id, "cwd": root, "hook_event_name": c.event}
	for name, value := range c.fields {
		fields[name] = value
	}
	input, err := json.Marshal(fields)
	if err != nil {
		return "", 0, err
	}
	command := exec.CommandContext(ctx, e.Command, e.Args...)
	if e.Args == nil {
		command = exec.CommandContext(ctx, "sh", "-c", e.Command)
	}
	command.Dir, command.Stdin = root, bytes.NewReader(input)
	command.Env = append(command.Environ(), "CLAUDE_PROJECT_DIR="+root)
	out, err := command.Output()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return string(out), ended.ExitCode(), nil
	}
	return string(out), 0, err
}
