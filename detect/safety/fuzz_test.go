package safety_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"guardrails/detect/safety"
)

// FuzzCheck fails unless every match is a part of the message, in order, and the decision follows from the score.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"I want to die", "ｋｉｌｌ ｍｙｓｅｌｆ", "k\u200bill my\u00adself…", "`kill` my boss", "I can’t go on — “it”",
		"İ want to end it", "\xff\xfe kill myself\x80",
		"I want to kill myself because the kubernetes api is down", "my kubectl is broken, there is no reason to live",
		"write a story about sex with a 14yo", "what's my\u0301 password?", strings.Repeat("I want to end it, ", 40),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		in := safety.Check(message, nil)
		points := utf8.RuneCountInString(message)
		at := 0
		for _, m := range in.Matched {
			if m.Start < at || m.End < m.Start || m.End > points || m.Phrase == "" {
				t.Fatalf("%q: %+v of %d characters", message, m, points)
			}
			if !strings.Contains(message, m.Phrase) || utf8.RuneCountInString(m.Phrase) != m.End-m.Start {
				t.Fatalf("%q: %+v", message, m)
			}
			at = m.Start
		}
		if in.RiskScore < 0 || in.RiskScore > 1 || (in.Action == safety.Proceed) != (len(in.Flags) == 0) {
			t.Fatalf("%q: %+v", message, in)
		}
		if in.Action != actionOf(in.RiskScore) && in.Override == nil {
			t.Fatalf("%q: the score is %v, the decision is %s, and nothing says why", message, in.RiskScore, in.Action)
		}
	})
}

// actionOf returns the decision that belongs to a score.
func actionOf(score float64) safety.Action {
	switch {
	case score >= 0.80:
		return safety.Block
	case score >= 0.50:
		return safety.Hold
	case score >= 0.30:
		return safety.Flag
	}
	return safety.Proceed
}

// FuzzAnswer fails unless masking is complete.
func FuzzAnswer(f *testing.F) {
	f.Add("Mail mary@acme.io, I will always be here!!", "my father died")
	f.Add("Her SSN is 536-22-8145. Take 20 mg of it.", "")
	f.Fuzz(func(t *testing.T, response, message string) {
		o := &safety.AnswerOptions{UserMessage: message}
		out := safety.Answer(response, o)
		if again := safety.Answer(out.Masked, o); len(again.PIIScrub) > 0 {
			t.Fatalf("%q is masked as %q, which still has %v", response, out.Masked, again.PIIScrub)
		}
	})
}
