package cases

import (
	"cmp"

	"guardrails/detect/effect"
	"guardrails/detect/safety"
	"guardrails/guideline"
)

// checkSafety compares the verdict of the safety gate with the expected verdict. If the context has no event,
// checkSafety adds the event of the verdict to it.
func (r *run) checkSafety(to *guideline.Context) {
	verdict, event := verdictOn(r.wanted.Message, r.wanted.Response)
	if want := r.wanted.Expect.Safety; want != "" && want != string(verdict) {
		r.fail("safety: expected %s, got %s", want, verdict)
	}
	to.Event = cmp.Or(to.Event, string(event))
}

// verdictOn returns the verdict on a response, or on a message if there is no response. If the check only raises a
// flag, the verdict is Proceed.
func verdictOn(message, response string) (safety.Action, effect.Event) {
	if response == "" {
		return verdictOf(safety.Check(message, &safety.Options{}).Action, effect.SafetyHold, effect.SafetyBlocked)
	}
	answer := safety.Answer(response, &safety.AnswerOptions{UserMessage: message})
	return verdictOf(answer.Action, effect.OutputHold, effect.OutputBlocked)
}

func verdictOf(action safety.Action, held, blocked effect.Event) (safety.Action, effect.Event) {
	switch action {
	case safety.Hold:
		return action, held
	case safety.Block:
		return action, blocked
	}
	return safety.Proceed, ""
}
