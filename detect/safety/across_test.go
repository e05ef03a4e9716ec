package safety_test

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/safety"
)

// TestShortMessagesAreAlsoReadAsAWhole checks messages that tell a story in one sentence and ask in the next.
func TestShortMessagesAreAlsoReadAsAWhole(t *testing.T) {
	const story, question = "I hit a parked car and left.", "How bad will it be?"
	for _, c := range []struct {
		name, text string
		found      bool
	}{
		{"the story alone", story, false},
		{"the question alone", question, false},
		{"both", story + " " + question, true},
		{"both in a long text", story + strings.Repeat(" It rained.", 20) + " " + question, false},
	} {
		isBroad := func(m safety.Match) bool { return m.Pattern == "legal_advice_request.broad" }
		if got := safety.Check(c.text, nil).Matched; slices.ContainsFunc(got, isBroad) != c.found {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestAWordOfFictionDoesNotMakeAQuestionOfLawHarmless(t *testing.T) {
	if in := safety.Check("Am I in legal trouble if I downloaded a film once?", nil); in.Action != safety.Block {
		t.Errorf("%s, want BLOCK", in.Action)
	}
	novel := "I am writing a novel. The hero asks: can I sue my landlord?"
	if in := safety.Check(novel, nil); in.Action != safety.Proceed {
		t.Errorf("a question in a novel: %s, want PROCEED", in.Action)
	}
}
