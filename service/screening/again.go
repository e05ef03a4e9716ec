package screening

import (
	"strings"

	"guardrails/detect/safety"
	"guardrails/policy"
)

// Cause says in a few words what is wrong with a response: the gate and its categories, the policy, or the output
// guard.
func (a *ResponseAnswer) Cause() string {
	var causes []string
	switch {
	case a.Safety.Action != policy.Block:
	case a.isByRule:
		causes = append(causes, "policy "+a.Analysis.Override.Name)
	default:
		causes = append(causes, *a.Safety.Gate+": "+strings.Join(a.Safety.Flags, ", "))
	}
	if a.OutputAudit.Intervened {
		causes = append(causes, "OutputGuard: "+strings.Join(a.OutputAudit.Risks, ", "))
	}
	return strings.Join(causes, "; ")
}

// Again is a method that returns a text for a model. The text asks the model to replace a blocked or unsafe response
// with another one. The text says what is wrong with the response, and what to write instead.
func (a *ResponseAnswer) Again() string {
	text := "The user's safety gate does not let your last answer through (" + a.Cause() + "). "
	for _, flag := range a.Safety.Flags {
		if how := safety.SayAgain(safety.Category(flag)); how != "" {
			text += how + " "
		}
	}
	if a.isByRule {
		text += "A rule of the people who run this service applies to this answer. Leave out what the rule is about. "
	}
	if a.OutputAudit.Intervened {
		text += "The answer is not safe for the person who reads it. Say something like this, in your own words: " +
			a.OutputAudit.Grounding() + " "
	}
	return text + "Answer again, and say in one sentence that this answer replaces the one above."
}
