package screening

import (
	"slices"

	"guardrails/detect/pii"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/policy"
)

// Check checks a message.
func (in *Message) Check(s *Setup) *Answer {
	var o safety.Options
	for _, c := range safety.Categories() {
		switch {
		case slices.Contains(s.Off, string(c)):
			o.Off = append(o.Off, c)
		case slices.Contains(s.Observed, string(c)):
			o.Observed = append(o.Observed, c)
		}
	}
	found := safety.Check(in.Text, &o)
	gate := safety.InputCheck
	if len(found.Flags) == 0 {
		gate = ""
	}
	a := newAnswer(s, found.Action, found.RiskScore, found.Flags, gate)
	for _, decision := range found.Decisions {
		a.decisions = append(a.decisions, verdictOf(decision))
	}
	a.Analysis.Matched, a.Intents = found.Matched, document.Texts(found.Intents)
	if b := found.Override; b != nil {
		a.Analysis.Override = &Override{b.Kind, b.Name, string(b.From), string(b.To)}
	}
	a.apply(s, in.Facts, func(facts *policy.Facts) {
		facts.Message, facts.Stage, facts.PII = &in.Text, policy.StageInput, []string{}
		for _, f := range pii.Find(in.Text, pii.Default) {
			facts.PII = append(facts.PII, f.Category.String())
		}
	})
	a.Referral = referral(a.Safety.Action, found.Referral)
	return &a
}

// referral() returns the text for a person whose message was held or blocked. If the message passed, it returns "". The
// parameter "found" is the referral of the category that was found, or "".
func referral(action, found string) string {
	switch {
	case action == policy.Proceed:
		return ""
	case found == "" && action == policy.Block:
		return "The people who run this service have a rule against this message. Ask them, or leave out what the rule is about."
	}
	return found
}
