package safety_test

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/safety"
)

// TestAQuotedPromiseIsNotAPromiseOfTheAssistant checks answers that quote a promise or a demand, and answers in which
// the assistant promises something itself.
func TestAQuotedPromiseIsNotAPromiseOfTheAssistant(t *testing.T) {
	long := strings.Repeat("and so on ", 40)
	for _, c := range []struct {
		text  string
		gates []safety.Gate
	}{
		{`The slogan "I guarantee that it works" makes the page look dishonest.`, nil},
		{"The slogan “I guarantee that it works” makes the page look dishonest.", nil},
		{"The slogan „I guarantee that it works“ makes the page look dishonest.", nil},
		{"The slogan «I guarantee that it works» makes the page look dishonest.", nil},
		{`The bot says "I'll always be here for you", and lonely users believe it.`, nil},
		{`The sergeant shouts "Obey me!", which tells us little about him.`, nil},
		{`I guarantee that it works, whatever "it" may be in this case.`, []safety.Gate{safety.OverclaimGate}},
		{`"I guarantee that it works."`, []safety.Gate{safety.OverclaimGate}},
		{`Take the 27" screen. I guarantee that it works, and so does the 24" one.`, []safety.Gate{safety.OverclaimGate}},
		{`He wrote "` + long + `" to us. I guarantee that it works. He wrote "yes".`, []safety.Gate{safety.OverclaimGate}},
		{"He opened with \"dear all\n. I guarantee that it works, and he said so in \"the next mail\".", []safety.Gate{safety.OverclaimGate}},
	} {
		var got []safety.Gate
		for _, g := range safety.Answer(c.text, nil).Gates {
			if g.Verdict != safety.Proceed {
				got = append(got, g.Gate)
			}
		}
		if !slices.Equal(got, c.gates) {
			t.Errorf("%s: %v, want %v", c.text, got, c.gates)
		}
	}
}

func TestAShortNoIsNoRefusalIfTheUserAsksForYesOrNo(t *testing.T) {
	for question, want := range map[string]safety.Action{
		"Will the old API tokens keep working after we rotate the signing key of the service tonight?": safety.Proceed,
		"Explain to me how the signing key of the service is rotated, step by step, please.":           safety.Hold,
	} {
		if got := safety.Answer("No.", &safety.AnswerOptions{UserMessage: question}).Action; got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}
