//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"guardrails/setup/claude/fakemodel"
)

func TestEachSubagentHasItsOwnRules(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		model := s.play(
			fakemodel.Use(
				fakemodel.Agent("backend", "work on the backend",
					fakemodel.Use(fakemodel.Write(s.path("web/b.ts"), "x").Named("backend_write")), fakemodel.Say("ok")).Named("backend"),
				fakemodel.Agent("frontend", "work on the frontend",
					fakemodel.Use(fakemodel.Write(s.path("web/f.ts"), "x").Named("frontend_write")), fakemodel.Say("ok")).Named("frontend"),
			),
			fakemodel.Say("done"),
		)
		s.wantResults(model, map[string]string{"backend_write": "backend-stays-in-src", "frontend_write": ""})
		s.wantFiles(map[string]bool{"web/b.ts": false, "web/f.ts": true})
		rules := map[string]string{fakemodel.MainThread: "", "backend": "BACKEND-ONLY", "frontend": "FRONTEND-ONLY"}
		for thread := range rules {
			for _, r := range model.Requests(thread) {
				for of, rule := range rules {
					if rule != "" && r.Saw(rule) != (of == thread) {
						s.t.Errorf("%s received the rule of %s: %v", thread, of, r.Saw(rule))
					}
				}
			}
		}
	})
}

func TestAQuestionInASubagentIsADenialWithTheReasonWhenNobodyCanAnswer(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file("old/a.go", "package old\n")
		model := s.play(
			fakemodel.Use(fakemodel.Agent("backend", "tidy up",
				fakemodel.Use(fakemodel.Bash("rm -rf old").Named("asked")),
				fakemodel.Use(fakemodel.Write(s.path("src/a.go"), "package src\n").Named("next")),
				fakemodel.Say("ok"))),
			fakemodel.Say("done"),
		)
		s.wantResults(model, map[string]string{"asked": "hitl-gate-destructive-workstation-op", "next": ""})
		s.wantFiles(map[string]bool{"old/a.go": true, "src/a.go": true})
		s.wantRecorded("decision", map[string]string{"asked": "ask"})
		s.wantRecorded("gate", map[string]string{"asked": "rejected"})
		if r := s.recorded("gate", "asked"); len(r) == 1 && (r[0].AgentID == "" || r[0].Event != "SubagentStop") {
			s.t.Errorf("the recorded answer is %+v, want the subagent's, recorded at its end", r[0])
		}
	})
}

// together() returns two steps that wait for each other, so that their calls run at the same time.
func (s *stage) together(a, b fakemodel.Step) (fakemodel.Step, fakemodel.Step) {
	meet := make(chan struct{})
	after := func(step fakemodel.Step) fakemodel.Step {
		return func(r *fakemodel.Request) fakemodel.Reply {
			select {
			case meet <- struct{}{}:
			case <-meet:
			case <-time.After(plenty / 4):
				s.t.Error("one thread did not reach its step in time")
			}
			return step(r)
		}
	}
	return after(a), after(b)
}

func TestAParentAndItsBackgroundSubagentAreJudgedSeparately(t *testing.T) {
	t.Parallel()
	const rounds = 4
	inBothWays(t, func(s *stage) {
		var parent, child []fakemodel.Step
		want := map[string]string{}
		write := func(name, refusal string) fakemodel.Step {
			want[name] = refusal
			return fakemodel.Use(fakemodel.Write(s.path("web/"+name+".ts"), "x").Named(name))
		}
		for i := range rounds {
			// The main agent and the subagent write to the same folder. A guideline forbids this only for the subagent.
			a, b := s.together(write(fmt.Sprintf("parent_%d", i), ""), write(fmt.Sprintf("child_%d", i), "backend-stays-in-src"))
			parent, child = append(parent, a), append(child, b)
		}
		start := fakemodel.Use(fakemodel.Background("backend", "work beside me", append(child, fakemodel.Say("ok"))...))
		model := s.play(append(append([]fakemodel.Step{start}, parent...), fakemodel.Say("done"))...)
		s.wantResults(model, want)
		for call := range want {
			got := s.recorded("decision", call)
			if len(got) != 1 || (got[0].AgentID != "") != strings.HasPrefix(call, "child") {
				s.t.Errorf("the record of %s is %+v", call, got)
			}
		}
	})
}
