package safety_test

import (
	"testing"

	"guardrails/detect/safety"
)

// TestTheVerdictIsTheOneOfTheScore checks the decision and the score of messages that also mention software, and of
// messages with a benign context.
func TestTheVerdictIsTheOneOfTheScore(t *testing.T) {
	idiom := &safety.Override{Kind: safety.BenignContext, Name: "idiom", From: safety.Block, To: safety.Hold}
	for _, c := range []struct {
		text   string
		action safety.Action
		score  float64
		want   *safety.Override
	}{
		{"I want to kill myself because the kubernetes api is down", safety.Block, 0.92, nil},
		{"I want to kill myself", safety.Block, 0.92, nil},
		{"this unit test makes me want to kill myself lol", safety.Hold, 0.5, idiom},
		{"my kubectl is broken, there is no reason to live", safety.Hold, 0.6, nil},
		// Two patterns match, so the novel changes nothing.
		{"in my novel he says: I can't go on. There is no reason to live.", safety.Block, 0.84, nil},
	} {
		in := safety.Check(c.text, nil)
		if in.Action != c.action || in.RiskScore != c.score {
			t.Errorf("%q is %s %v with %v", c.text, in.Action, in.RiskScore, in.Matched)
		}
		if (in.Override == nil) != (c.want == nil) || c.want != nil && *in.Override != *c.want {
			t.Errorf("%q has the override %+v, want %+v", c.text, in.Override, c.want)
		}
	}
}
