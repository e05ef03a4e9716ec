//go:build e2e

package e2e

import (
	"context"
	"strings"
	"testing"

	"guardrails/setup/claude/script"
	"guardrails/setup/claude/session"
)

const inDanger = "I want to kill myself"

// headlessSays plays a headless session whose prompt is a text.
func (s *stage) headlessSays(text string, steps ...script.Step) (*script.Model, *session.Transcript) {
	s.t.Helper()
	model := s.model(steps)
	o := s.options(model)
	o.Prompt = text
	ctx, cancel := context.WithTimeout(s.t.Context(), plenty)
	defer cancel()
	transcript, err := session.Headless(ctx, o)
	if err != nil {
		s.t.Fatal(err)
	}
	return model, transcript
}

// checked returns the outcomes of the checks that were recorded.
func (s *stage) checked() string {
	s.t.Helper()
	var out []string
	for _, r := range s.recorded("safety_input", "") {
		out = append(out, r.Outcome)
	}
	return strings.Join(out, " ")
}

// A blocked prompt never reaches the model, and the person reads where help is to be had.
func TestABlockedPromptDoesNotReachTheModel(t *testing.T) {
	forEachClient(t, func(s *stage) {
		s.file("../home/.config/guardrails/guardrails.yaml", "safety: {mode: enforce}\n")
		model, transcript := s.headlessSays(inDanger, script.Say("hello"))
		if n := len(model.All()); n != 0 {
			s.t.Errorf("headless: the model got %d requests", n)
		}
		if said := transcript.Result.Text; !strings.Contains(said, "emergency number") {
			s.t.Errorf("headless: the person reads %q", said)
		}
		terminal := s.terminal(script.Say("Good morning."))
		terminal.says(inDanger, "emergency number")
		if n := len(terminal.model.All()); n != 0 {
			s.t.Errorf("in a terminal: the model got %d requests", n)
		}
		terminal.says("hello", "Good morning.")
		if got := s.checked(); got != "block block" {
			s.t.Errorf("recorded %q", got)
		}
	})
}

// While the gate only observes, nothing changes, and the audit has all of it.
func TestAnObservedPromptReachesTheModel(t *testing.T) {
	s := setUp(t, newest(t)[0])
	s.file("../home/.config/guardrails/guardrails.yaml", "safety: {mode: observe}\n")
	model, _ := s.headlessSays(inDanger, script.Say("I am here."))
	if n := len(model.All()); n != 1 {
		t.Errorf("the model got %d requests", n)
	}
	if got := s.checked(); got != "block" {
		t.Errorf("recorded %q", got)
	}
}
