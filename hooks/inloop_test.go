package hooks_test

import (
	"os"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

const asksAboutLoops = `
id: agent-loop
name: An agent in a loop
category: hitl_gate
condition: {events: [tool_loop]}
action: {type: hitl_gate, gate_type: tool_loop}
`

// loop() marks a call as one that the agent has made again and again.
func (s *stage) loop(call map[string]any) {
	s.t.Helper()
	if err := hooks.NoteLoop(s.host.Dir, s.event(wire.PostToolUse, call)); err != nil {
		s.t.Fatal(err)
	}
}

// later() makes one of the session's files newer than all its other files.
func (s *stage) later(name string) {
	s.t.Helper()
	if err := s.host.Dir.Touch(name); err != nil {
		s.t.Fatal(err)
	}
	after := time.Now().Add(time.Minute)
	if err := os.Chtimes(s.host.Dir.Path(name), after, after); err != nil {
		s.t.Fatal(err)
	}
}

func TestTheNextIdenticalCallOfALoopIsAskedAbout(t *testing.T) {
	s := newStage(t, asksAboutLoops)
	call := s.bash("curl -s https://example.com/status")
	s.want(s.pre(call), "pass")
	s.loop(call)
	s.want(s.pre(call), "ask", "agent-loop")
	s.want(s.pre(s.bash("curl -s https://example.com/other")), "pass")
	s.want(s.pre(with(call, "agent_id", "a1", "agent_type", "backend")), "pass")
}

func TestALoopIsOverWhenSomethingElseHappens(t *testing.T) {
	call := map[string]any{"tool_name": "Read", "tool_input": map[string]any{"file_path": "/a.txt"}}
	for name, file := range map[string]string{
		"another call":         session.CallsName("s1", ""),
		"a prompt of a person": session.BeatName("s1", wire.UserPromptSubmit),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, asksAboutLoops)
			s.loop(call)
			s.want(s.pre(call), "ask", "agent-loop")
			s.later(file)
			s.want(s.pre(call), "pass")
		})
	}
}

func TestWithoutAGuidelineAboutLoopsNothingIsAsked(t *testing.T) {
	s := newStage(t, paths)
	call := s.bash("ls")
	s.loop(call)
	s.want(s.pre(call), "pass")
}
