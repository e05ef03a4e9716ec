package doctor

import (
	"context"
	"maps"
	"regexp"

	"guardrails/hooks/wire"
	"guardrails/setup"
)

const agentID = "guardrails-doctor-1"

// The type "act" is one event of the client.
type act struct {
	event string
	// The field "subject" is the value that the client compares with the matchers of hooks: the name of the tool, or
	// the type of the agent.
	subject string
	fields  map[string]any
	// The field "env" lists additional environment variables.
	env []string
}

// command() runs the canaries if no client is installed. It runs the commands in the settings in the same way as the
// client. It does not run the tool calls.
func (s *stage) command(ctx context.Context) *observation {
	w := newObservation()
	inRole := map[string]any{"agent_id": agentID, "agent_type": role}
	w.main = s.send(ctx, w, act{wire.SessionStart, "startup", map[string]any{"source": "startup"}, nil}).context
	w.main += s.send(ctx, w, act{wire.UserPromptSubmit, "", map[string]any{"prompt": prompt}, nil}).context
	s.call(ctx, w, deniedCall, "Write", map[string]any{"file_path": s.in(deniedFile), "content": "canary\n"},
		wire.PostToolUse, nil)
	s.call(ctx, w, askedCall, "Bash", map[string]any{"command": "echo canary > " + askedFile}, wire.PostToolUse, nil)
	s.call(ctx, w, allowedCall, "Bash", map[string]any{"command": "echo canary > " + allowedFile}, wire.PostToolUse, nil)
	s.call(ctx, w, failedCall, "Bash", map[string]any{"command": "false"}, wire.PostToolUseFailure, nil)
	for _, id := range s.loop() {
		s.call(ctx, w, id, "Read", map[string]any{"file_path": s.in(missingFile)}, wire.PostToolUseFailure, nil)
	}
	w.subagent = s.send(ctx, w, act{wire.SubagentStart, role, inRole, nil}).context
	s.call(ctx, w, roleCall, "Write", map[string]any{"file_path": s.in(roleFile), "content": "canary\n"},
		wire.PostToolUse, inRole)
	s.send(ctx, w, act{wire.SubagentStop, role, inRole, nil})
	s.send(ctx, w, act{wire.Stop, "", nil, nil})
	s.send(ctx, w, act{wire.SessionEnd, "other", map[string]any{"reason": "other"}, nil})
	return w
}

// call() sends the events of a tool call.
func (s *stage) call(ctx context.Context, w *observation, id, tool string, input map[string]any, ended string, agent map[string]any) {
	fields := map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": id}
	maps.Copy(fields, agent)
	answer := s.send(ctx, w, act{wire.PreToolUse, tool, fields, nil})
	if answer.stopped {
		w.results[id] = answer.reason
		return
	}
	w.ran[id] = true
	if ended == wire.PostToolUseFailure {
		fields["error"] = "canary"
	}
	after := s.send(ctx, w, act{ended, tool, fields, nil})
	if agent == nil {
		w.main += after.context
	}
}

// The type "reply" combines the answers of all hooks of an event.
type reply struct {
	stopped         bool
	reason, context string
	// The field "message" is shown to the user.
	message string
	// The field "counter" holds the reason that a hook gives when it stops a prompt or a final answer.
	counter string
}

// send() runs the hooks of an event one after the other.
func (s *stage) send(ctx context.Context, w *observation, a act) reply {
	var all reply
	for _, e := range s.hooksOf(a) {
		said, err := s.run(ctx, a, e)
		if err != nil {
			w.hooks[a.event] = append(w.hooks[a.event], excerpt(err.Error()))
		}
		all.context += said.context
		all.message += said.message
		all.counter += said.counter
		if said.stopped && !all.stopped {
			all.stopped, all.reason = true, said.reason
		}
	}
	return all
}

// hooksOf returns our entries that the client would run for an event.
func (s *stage) hooksOf(a act) []*setup.Entry {
	if s.x.switching("disableAllHooks") != nil {
		return nil
	}
	var found []*setup.Entry
	for i := range s.files {
		for j := range s.files[i].entries {
			if e := &s.files[i].entries[j]; e.Ours() && e.Event == a.event && matches(e, a) {
				found = append(found, e)
			}
		}
	}
	return found
}

// matches() reports whether the client would run an entry. For prompts and for the end of a turn, it ignores the
// matcher, as the client does.
func matches(e *setup.Entry, a act) bool {
	if e.SeesEverything() || a.event == wire.UserPromptSubmit || a.event == wire.Stop {
		return true
	}
	pattern, err := regexp.Compile("^(?:" + e.Matcher + ")$")
	return err == nil && pattern.MatchString(a.subject)
}
