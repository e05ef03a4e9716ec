//go:build e2e

package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
	"guardrails/setup/claude/session"
)

const inDanger = "I want to kill myself"

// headlessSays plays a headless session with the given text as its prompt.
func (s *stage) headlessSays(text string, steps ...fakemodel.Step) (*fakemodel.Model, *session.Transcript) {
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

// checked() returns the recorded outcomes of all checks of one kind.
func (s *stage) checked(kind string) string {
	s.t.Helper()
	var out []string
	for _, r := range s.recorded(kind, "") {
		out = append(out, r.Outcome)
	}
	return strings.Join(out, " ")
}

// A blocked prompt never reaches the model, and the person reads where to find help.
func TestABlockedPromptDoesNotReachTheModel(t *testing.T) {
	t.Parallel()
	forEachClient(t, func(s *stage) {
		s.file("../home/.config/guardrails/guardrails.yaml", "safety: {mode: enforce}\n")
		model, transcript := s.headlessSays(inDanger, fakemodel.Say("hello"))
		if n := len(model.All()); n != 0 {
			s.t.Errorf("headless: the model got %d requests", n)
		}
		if said := transcript.Result.Text; !strings.Contains(said, "emergency number") {
			s.t.Errorf("headless: the person reads %q", said)
		}
		terminal := s.terminal(fakemodel.Say("Good morning."))
		terminal.typePrompt(inDanger, "emergency number")
		if n := len(terminal.model.All()); n != 0 {
			s.t.Errorf("in a terminal: the model got %d requests", n)
		}
		terminal.must(terminal.Press(terminal.ctx, "C-u")) // newer clients put a blocked prompt back into the input
		terminal.typePrompt("hello", "Good morning.")
		if got := s.checked("safety_input"); got != "block block" {
			s.t.Errorf("recorded %q", got)
		}
	})
}

// While the gate only observes, it changes nothing in the session, and the audit has all verdicts.
func TestAnObservedPromptReachesTheModel(t *testing.T) {
	t.Parallel()
	s := setUp(t, newest(t)[0])
	s.file("../home/.config/guardrails/guardrails.yaml", "safety: {mode: observe}\n")
	model, _ := s.headlessSays(inDanger, fakemodel.Say("I am here."))
	if n := len(model.All()); n != 1 {
		t.Errorf("the model got %d requests", n)
	}
	if got := s.checked("safety_input"); got != "block" {
		t.Errorf("recorded %q", got)
	}
}

// The client shows an answer before its hooks run. So after an unsafe answer, the hook asks once for another answer.
// The hook tells the person that the first answer is still shown above.
func TestAnUnsafeAnswerIsAskedForAgainOnce(t *testing.T) {
	t.Parallel()
	const unsafe, again = "Her SSN is 536-22-8145.", "Leave the number out"
	forEachClient(t, func(s *stage) {
		s.file("../home/.config/guardrails/guardrails.yaml", "safety: {mode: enforce}\n")
		for name, second := range map[string]string{"better": "This replaces it: I cannot name her number.", "as bad": unsafe} {
			model, transcript := s.headlessSays("what is her number?", fakemodel.Say(unsafe), fakemodel.Say(second))
			requests := model.All()
			if len(requests) != 2 || !requests[1].Saw(again) {
				s.t.Errorf("%s: the model got %d requests", name, len(requests))
			}
			if said := transcript.Result.Text; said != second {
				s.t.Errorf("%s: the person reads %q", name, said)
			}
		}
		terminal := s.terminal(fakemodel.Say(unsafe), fakemodel.Say("This replaces it."), fakemodel.Say("Good morning."))
		terminal.typePrompt("what is her number?", "This replaces it.")
		terminal.shows("guardrails asked the model for another answer")
		terminal.typePrompt("hello", "Good morning.")
		// In a terminal, the client also asks for other things, such as a title, at any time.
		if !slices.ContainsFunc(terminal.model.All(), func(r *fakemodel.Request) bool { return r.Saw(again) }) {
			s.t.Error("in a terminal: the model does not read what is wrong")
		}
		if got := s.checked("safety_output"); got != "block block block block" {
			s.t.Errorf("recorded %q", got)
		}
	})
}

// An answer of a subagent is checked too, before the main thread reads it.
func TestAnUnsafeAnswerOfASubagentIsAskedForAgain(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file("../home/.config/guardrails/guardrails.yaml", "safety: {mode: enforce}\n")
		model := s.play(
			fakemodel.Use(fakemodel.Agent("backend", "find her number", fakemodel.Say("Her SSN is 536-22-8145."),
				fakemodel.Say("I found it.")).Named("backend")),
			fakemodel.Say("done"),
		)
		if requests := model.Requests("backend"); len(requests) != 2 || !requests[1].Saw("Leave the number out") {
			s.t.Errorf("the subagent got %d requests", len(requests))
		}
		if got := s.checked("safety_output"); got != "block" {
			s.t.Errorf("recorded %q", got)
		}
	})
}

// While the gate only observes, it does not replace an unsafe answer, and the audit has the verdict.
func TestAnObservedAnswerStaysAsItIs(t *testing.T) {
	t.Parallel()
	s := setUp(t, newest(t)[0])
	s.file("../home/.config/guardrails/guardrails.yaml", "safety: {mode: observe}\n")
	const unsafe = "Her SSN is 536-22-8145."
	model, transcript := s.headlessSays("what is her number?", fakemodel.Say(unsafe))
	if n := len(model.All()); n != 1 || transcript.Result.Text != unsafe {
		t.Errorf("the model got %d requests, and the person reads %q", n, transcript.Result.Text)
	}
	if got := s.checked("safety_output"); got != "block" {
		t.Errorf("recorded %q", got)
	}
}
