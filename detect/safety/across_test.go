package safety_test

import (
	"strings"
	"testing"

	"guardrails/detect/safety"
)

// TestShortMessagesAreAlsoReadAsAWhole checks messages that tell a story in one sentence and ask in the next.
func TestShortMessagesAreAlsoReadAsAWhole(t *testing.T) {
	const story, question = "I hit a parked car and left.", "How bad will it be?"
	for _, c := range []struct {
		name, text string
		want       safety.Action
	}{
		{"the story alone", story, safety.Proceed},
		{"the question alone", question, safety.Proceed},
		{"both", story + " " + question, safety.Hold},
		{"both in a long text", story + strings.Repeat(" It rained.", 20) + " " + question, safety.Proceed},
	} {
		if got := safety.Check(c.text, nil).Action; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
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
