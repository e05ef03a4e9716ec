package detectors

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/config"
	"guardrails/detect/effect"
	"guardrails/detect/talk"
)

// Answer is a final answer of the model on the main thread of a session.
type Answer struct {
	Event
	Text string
	// The field "Again" is set if a hook asked the model for this answer.
	Again bool
}

// Answers that agree without a reason are common, so a single one means little. Desk.Answer looks at the last answers,
// at most lastAnswers of them. If at least manyAnswers of these answers agree without a reason, Desk.Answer returns a
// line.
const (
	lastAnswers = 10
	manyAnswers = 3
)

// Answer is a method that records a final answer. It returns a line if many of the last answers agree without a reason.
func (d *Desk) Answer(w *Answer) (r Reply, err error) {
	if w.Session == "" || w.Text == "" || w.Settings.Sycophancy == config.Off {
		return r, nil
	}
	f, unlock, err := d.open()
	if err != nil {
		return r, err
	}
	defer unlock()
	s := f.load(w.Session)
	if s.isOff(sycophancy) || s.Obeyed || w.Again {
		return r, nil
	}
	a := talk.CheckSycophancy(&talk.Sycophancy{Response: talk.CutAnswer(w.Text)})
	agrees := a.Detected && a.Confidence >= confident && !slices.Contains(w.Settings.PatternsOff, string(a.Pattern)) &&
		!talk.GivesReason(w.Text)
	if s.SkipAnswer {
		s.SkipAnswer = false
		return r, f.save(w.Session, s)
	}
	if s.noteAnswer(agrees) && agrees && w.Now.Sub(s.Said) >= quiet && !w.Now.Before(s.Snooze) {
		r = s.reply(w, a)
	}
	return r, f.save(w.Session, s)
}

// noteAnswer adds an answer to the list of the last answers, and reports whether a line may be shown.
func (s *state) noteAnswer(agrees bool) bool {
	s.Answers = append(s.Answers, agrees)
	s.Answers = s.Answers[max(0, len(s.Answers)-lastAnswers):]
	s.Wait = max(0, s.Wait-1)
	return s.Wait == 0 && s.agreeing() >= manyAnswers
}

// agreeing() returns how many of the last answers agree without a reason.
func (s *state) agreeing() (n int) {
	for _, agrees := range s.Answers {
		if agrees {
			n++
		}
	}
	return n
}

func (s *state) reply(w *Answer, a *talk.SycophancyAnswer) (r Reply) {
	f := &finding{
		Detection: Detection{effect.Sycophancy, Detected, s.agreeing(), a.Confidence},
		detector:  sycophancy, options: a.OverrideOptions,
		text: fmt.Sprintf("%d of the last %d answers agree with you or praise you without a reason. %s", s.agreeing(),
			len(s.Answers), a.Reason),
		match: match{sycophancy, a.Heuristic.Description, nil},
	}
	for _, span := range a.MatchedSpans {
		f.match.Details = append(f.match.Details, span.Text)
	}
	s.Said, s.Match, s.Wait = w.Now, &f.match, lastAnswers
	r.Line, r.Detection = f.line(w.Settings), &f.Detection
	if w.Settings.Sycophancy == config.Counter {
		r.Line = strings.Replace(r.Line, prefix,
			prefix+" You asked for a second answer in such a case; the first one is still shown above.", 1)
		r.Counter = "The user's own settings ask for a second answer; nothing is forbidden. " + a.CounterPrompt
	}
	return r
}
