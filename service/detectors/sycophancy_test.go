package detectors_test

import (
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/hooks/session"
	"guardrails/service/detectors"
)

// showAnswer shows a final answer of the model to the desk.
func (p *person) showAnswer(text string, again bool) detectors.Reply {
	p.t.Helper()
	p.after(2 * time.Minute)
	r, err := p.desk.Answer(&detectors.Answer{Event: p.event("s1"), Text: text, Again: again})
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

const (
	flattery = "Perfect! Do it."
	plain    = "The build fails, because main.go:12 has a typo."
)

func TestThreeOfTenAnswersShowOneLine(t *testing.T) {
	p := newPerson(t)
	for i, c := range []struct {
		text  string
		shown bool
	}{
		{flattery, false},
		{plain, false},
		{plain, false},
		{flattery, false},
		{plain, false},
		{plain, false},
		{flattery, true},
		{flattery, false},
		{flattery, false},
		{plain, false},
		{flattery, false},
		{flattery, false},
		{flattery, false},
		{flattery, false},
		{flattery, false},
		{flattery, false},
		{flattery, true},
	} {
		r := p.showAnswer(c.text, false)
		if (r.Line != "") != c.shown || r.Counter != "" {
			t.Errorf("answer %d: %+v", i+1, r)
		}
	}
}

func TestAnAnswerThatGivesAReasonDoesNotCount(t *testing.T) {
	p := newPerson(t)
	for _, text := range []string{
		"Perfect! 38 of 38 tests pass.", "Yes, because the cache is empty.", "Perfect! The build of `main` is green.",
		"Excellent! See https://example.com/build.",
	} {
		for range 3 {
			if r := p.showAnswer(text, false); r.Line != "" {
				t.Errorf("%s: %s", text, r.Line)
			}
		}
	}
}

func TestALineAboutAnswersHasItsWords(t *testing.T) {
	p := newPerson(t)
	p.showAnswer(flattery, false)
	p.showAnswer(flattery, false)
	p.shows(p.showAnswer(flattery, false).Line, `3 of the last 3 answers agree with you or praise you without a reason.`, `opens with "perfect"`,
		"guardrails: i-want-validation", "guardrails: override-once", "guardrails: fresh-context",
		"guardrails: disable-for-session", "guardrails: explain-the-match", "https://")
	p.shows(p.types("guardrails: explain-the-match"), "sycophancy: ", "Matched: perfect.")
}

func TestTwoOfTenAnswersShowNothing(t *testing.T) {
	p := newPerson(t)
	for _, text := range append(strings.Split(strings.Repeat(plain+"|", 8), "|")[:8], flattery, flattery) {
		p.shows(p.showAnswer(text, false).Line, "")
	}
}

func TestASecondAnswerIsRequestedOnlyWhereAPersonWantsIt(t *testing.T) {
	p := newPerson(t)
	p.settings.Sycophancy = config.Counter
	p.showAnswer(flattery, false)
	p.showAnswer(flattery, false)
	r := p.showAnswer(flattery, false)
	p.shows(r.Counter, "user's own settings ask for a second answer", "without the praise")
	p.shows(r.Line, "You asked for a second answer", "the first one is still shown above")
	if r := p.showAnswer(flattery, true); r != (detectors.Reply{}) {
		t.Errorf("the desk responds to the second answer: %+v", r)
	}
}

func TestAnswersCanBeDismissed(t *testing.T) {
	for _, word := range []string{"i-want-validation", "override-once", "fresh-context", "disable-for-session sycophancy", "snooze-15m"} {
		p := newPerson(t)
		p.showAnswer(flattery, false)
		p.showAnswer(flattery, false)
		p.types("guardrails: " + word)
		p.showAnswer(flattery, false)
		p.types("what next?")
		if r := p.showAnswer(flattery, false); r.Line != "" {
			t.Errorf("%s: %q", word, r.Line)
		}
	}
}

func TestAnswersAreLookedAtOnlyWhileTheDetectorIsOn(t *testing.T) {
	p := newPerson(t)
	p.types("hello")
	if _, on := p.dir.Seen("guardrails-s1.answers"); !on {
		t.Error("the hook does not show answers")
	}
	p.settings.Sycophancy = config.Off
	p.types("hello again")
	if _, on := p.dir.Seen("guardrails-s1.answers"); on {
		t.Error("the hook shows answers")
	}
	for range 5 {
		p.shows(p.showAnswer(flattery, false).Line, "")
	}
}

func TestWithoutAnAddressNothingAsksForReports(t *testing.T) {
	p := newPerson(t)
	p.settings.FeedbackURL = ""
	p.showAnswer(flattery, false)
	p.showAnswer(flattery, false)
	a := &agent{person: newPerson(t)}
	a.settings.FeedbackURL = ""
	a.notedCalls("e! e!")
	for _, line := range []string{p.showAnswer(flattery, false).Line, a.makeCall("e", session.Failed)} {
		if line == "" || strings.Contains(line, "eport") || strings.Contains(line, ":/") {
			t.Errorf("%q", line)
		}
	}
}
