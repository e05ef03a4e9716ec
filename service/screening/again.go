package screening

import (
	"strings"

	"guardrails/detect/safety"
)

// Cause says in a few words what blocked a response: the gate and its categories, or the policy.
func (a *ResponseAnswer) Cause() string {
	if o := a.Analysis.Override; o != nil && o.Kind == "policy" {
		return "policy " + o.Name
	}
	return *a.Safety.Gate + ": " + strings.Join(a.Safety.Flags, ", ")
}

// Again asks a model for another response in place of one that is blocked. It says what is wrong, and how to say it.
func (a *ResponseAnswer) Again() string {
	text := "The user's safety gate does not let your last answer through (" + a.Cause() + "). "
	for _, flag := range a.Safety.Flags {
		if how := safety.SayAgain(safety.Category(flag)); how != "" {
			text += how + " "
		}
	}
	if o := a.Analysis.Override; o != nil && o.Kind == "policy" {
		text += "A rule of the people who run this place is about it. Leave out what the rule is about. "
	}
	return text + "Answer again, and say in one sentence that this answer replaces the one above."
}
