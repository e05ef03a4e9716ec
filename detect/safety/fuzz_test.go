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
		"I want to die", "ｋｉｌｌ ｍｙｓｅｌｆ", "k\u200bill my\u00adself…", "`kill` my boss", "I can’t go on — “it”", "İ want to end it", "\xff\xfe kill myself\x80",
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
	})
}
