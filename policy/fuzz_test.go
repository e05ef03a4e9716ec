package policy_test

import (
	"testing"

	"guardrails/internal/document"
	"guardrails/policy"
)

// FuzzDecodeTrial fails if DecodeTrial returns mistakes together with facts or rules. It also fails if a trial of the
// rules returns a verdict that does not exist.
func FuzzDecodeTrial(f *testing.F) {
	f.Add([]byte(`{"facts": {"message": "my ssn", "flags": ["violence"]}, "rules": [{"name": "a", "actions": [{"type": "stop"}]}]}`))
	f.Add([]byte(`{"facts": {"decision": "HOLD", "trust": 1e999}, "rules": {}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, problems := document.ParseJSON("", text)
		if n == nil || len(problems) > 0 {
			return
		}
		facts, set, problems := policy.DecodeTrial("", n, policy.TrialLimit)
		if len(problems) > 0 {
			return
		}
		if facts == nil {
			t.Fatalf("%q has no mistake and no facts", text)
		}
		switch got := set.Try(facts).Action; got {
		case policy.Proceed, policy.Hold, policy.Block:
		default:
			t.Fatalf("%q: the verdict %q", text, got)
		}
	})
}

// FuzzDecodeFacts fails if DecodeFacts returns both facts and mistakes, or neither of them.
func FuzzDecodeFacts(f *testing.F) {
	f.Add([]byte(`{"message": "hello", "mood": -1, "trust": 0.5, "interaction_count": 3, "since_last_seen": 60, "tags": ["a"]}`))
	f.Add([]byte(`{"mood": "low", "stage": "both", "gate": "\u0000"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, problems := document.ParseJSON("", text)
		if n == nil || len(problems) > 0 {
			return
		}
		facts, problems := policy.DecodeFacts("", n, "facts")
		if (facts == nil) != (len(problems) > 0) {
			t.Fatalf("%q: %v, %v", text, facts, problems)
		}
	})
}
