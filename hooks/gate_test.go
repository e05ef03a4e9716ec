package hooks_test

import (
	"testing"

	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/internal/product"
)

const gate = `
id: ask-deploy
name: Deploys need a person
category: hitl_gate
priority: 900
condition: {events: [devops_invocation]}
action: {type: hitl_gate, gate_type: deploy, gate_threshold: mandatory}
`

func answers(s *stage) []string {
	var out []string
	for _, r := range s.records("gate") {
		out = append(out, r["outcome"].(string)+" "+r["tool_use_id"].(string)+" "+r["guideline_id"].(string)+" "+r["gate_type"].(string)+" "+r["guideline_name"].(string))
	}
	return out
}

func (s *stage) wantAnswers(want ...string) {
	s.t.Helper()
	got := answers(s)
	if len(got) != len(want) {
		s.t.Fatalf("recorded %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i]+" ask-deploy deploy Deploys need a person" {
			s.t.Errorf("recorded %q, want %q", got[i], want[i])
		}
	}
}

func TestAGatedToolThatRanWasApproved(t *testing.T) {
	for _, ran := range []func(*stage, map[string]any) wire.Outcome{(*stage).post, (*stage).failed} {
		s := newStage(t, gate)
		fields := with(s.bash("kubectl apply -f x"), "tool_use_id", "t1")
		s.want(s.pre(fields), "ask")
		s.wantAnswers()
		ran(s, fields)
		s.wantAnswers("approved t1")
		ran(s, fields)
		s.prompt("next")
		s.wantAnswers("approved t1")
	}
}

func TestAGatedToolThatNeverRanWasRejected(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*stage)
	}{
		{"at the next prompt", func(s *stage) { s.prompt("next") }},
		{"at the end of the turn", func(s *stage) { hooks.Stop(s.host, s.event(wire.Stop, nil)) }},
		{"at the end of the session", func(s *stage) { hooks.Stop(s.host, s.event(wire.SessionEnd, nil)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, gate)
			s.want(s.pre(with(s.bash("kubectl apply -f x"), "tool_use_id", "t1")), "ask")
			c.end(s)
			s.wantAnswers("rejected t1")
		})
	}
}

func TestTheQuestionsOfOtherAgentsStayOpen(t *testing.T) {
	s := newStage(t, gate)
	s.pre(with(s.bash("kubectl apply -f x"), "tool_use_id", "t1", "agent_id", "a1", "agent_type", "devops"))
	s.pre(with(s.bash("kubectl apply -f x"), "tool_use_id", "t2", "agent_id", "a2", "agent_type", "devops"))
	s.pre(with(s.bash("kubectl apply -f x"), "tool_use_id", "t3"))
	s.prompt("<task-notification>a1 ended")
	s.wantAnswers()
	s.prompt("next")
	s.wantAnswers("rejected t3")
	hooks.Stop(s.host, s.event(wire.SubagentStop, map[string]any{"agent_id": "a1"}))
	s.wantAnswers("rejected t3", "rejected t1")
	s.post(with(s.bash("kubectl apply -f x"), "tool_use_id", "t2", "agent_id", "a2", "agent_type", "devops"))
	s.wantAnswers("rejected t3", "rejected t1", "approved t2")
}

func TestAnApprovedCallIsNotedForTheClockIfThereIsOne(t *testing.T) {
	for _, on := range []bool{false, true} {
		s := newStage(t, gate)
		if on {
			if err := s.host.Dir.Touch(product.ClockFile); err != nil {
				t.Fatal(err)
			}
		}
		call := s.bash("kubectl apply -f deploy.yaml")
		s.want(s.pre(call), "ask")
		s.post(call)
		if _, noted := s.host.Dir.Seen(product.PresenceFile); noted != on {
			t.Errorf("the answer is noted: %v, want %v", noted, on)
		}
	}
}
