package safety_test

import (
	"math"
	"testing"

	"guardrails/detect/safety"
	"guardrails/internal/fortests/detectorcases"
)

func TestScoresAreThoseOfTheContract(t *testing.T) {
	cases := detectorcases.Load(t, "../testdata/detectors.json").RiskScores
	if len(cases) < 8 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		var strengths []safety.Strength
		for _, s := range c.Strengths {
			strengths = append(strengths, safety.Strength(s))
		}
		score, action := safety.Score(safety.Category(c.Category), strengths, c.BenignContext)
		if math.Abs(score-c.Expect.RiskScore) > 1e-9 || string(action) != c.Expect.Action {
			t.Errorf("%s: %v %s, want %v %s", c.ID, score, action, c.Expect.RiskScore, c.Expect.Action)
		}
	}
}

func TestAStrongMatchOfSelfHarmIsShownToAPersonInABenignContextToo(t *testing.T) {
	score, action := safety.Score(safety.SelfHarm, []safety.Strength{safety.Strong}, true)
	if score != 0.5 || action != safety.Hold {
		t.Errorf("%v %s", score, action)
	}
}
