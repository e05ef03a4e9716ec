//go:build e2e

package e2e

import (
	"testing"

	"guardrails/setup/claude/fakemodel"
)

const shortDocs = `
guidelines:
  - id: short-docs
    name: Documents are short
    category: custom
    condition: {paths: ["docs/*"]}
    action: {type: instruction, instruction: ADVICE that documents stay short.}
`

func TestTheModelReadsAdviceWithTheResultOfACall(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file(".claude/guardrails/docs.yaml", shortDocs)
		model := s.play(
			fakemodel.Use(fakemodel.Write(s.path("src/a.go"), "package src\n").Named("code")),
			fakemodel.Use(fakemodel.Write(s.path("docs/a.md"), "x").Named("doc")),
			fakemodel.Say("done"),
		)
		s.wantResults(model, map[string]string{"code": "", "doc": ""})
		const advice = "ADVICE that documents stay short. (short-docs)"
		turns := model.Requests(fakemodel.MainThread)
		if turns[1].Saw(advice) {
			s.t.Error("the advice came with an unrelated call")
		}
		if !turns[2].Saw(advice) {
			s.t.Error("the model did not read the advice")
		}
	})
}

func TestTheFourthFailureOfATestAddsAdvice(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		var steps []fakemodel.Step
		for range 4 {
			steps = append(steps, fakemodel.Use(fakemodel.Bash("pytest tests/missing.py")))
		}
		model := s.play(append(steps, fakemodel.Say("done"))...)
		const advice = "(hitl-gate-debugger-escalation)"
		turns := model.Requests(fakemodel.MainThread)
		if turns[3].Saw(advice) {
			s.t.Error("the advice came before the fourth failure")
		}
		if !turns[4].Saw(advice) {
			s.t.Error("the model did not read the advice after the fourth failure")
		}
	})
}
