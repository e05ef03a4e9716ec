package talk

import (
	"bytes"
	"fmt"
	"unicode"

	"guardrails/detect/advice"
	"guardrails/internal/document"
)

// Sycophancy is the input of CheckSycophancy.
type Sycophancy struct {
	// Response is a model's answer. It is empty if there is none.
	Response string
	// Messages are what the user wrote recently, oldest first.
	Messages []Message
	// Decision says what the user has to decide.
	Decision string
}

// Pattern names what CheckSycophancy found.
type Pattern string

// The patterns. The schema of the answers also has the pattern "other", which no answer has.
const (
	PatternNone        Pattern = "none"
	PatternReassurance Pattern = "repeated_reassurance_request"
	PatternAgreement   Pattern = "unconditional_agreement"
	PatternPraise      Pattern = "praise_without_evidence"
	PatternEscalation  Pattern = "escalating_validation"
)

// SycophancyAnswer is the answer of CheckSycophancy.
type SycophancyAnswer struct {
	Detected     bool    `json:"detected"`
	Pattern      Pattern `json:"pattern"`
	MatchedSpans []Span  `json:"matched_spans"`
	// CounterPrompt is a text that a caller may give to its model. It is empty if nothing was detected.
	CounterPrompt string `json:"counter_prompt,omitempty"`
	advice.Common
}

// Span is a text that matched.
type Span struct {
	Source string `json:"source"`
	Text   string `json:"text"`
	At     string `json:"at,omitempty"`
}

// The sources of spans.
const (
	fromResponse = "candidate_response"
	fromMessages = "recent_user_messages"
)

const (
	// minAsking is the number of messages about one decision that form a pattern.
	minAsking   = 3
	maxSpans    = 20
	maxSpanText = 1000
)

// DecodeSycophancy reads an input from JSON. The error has the type advice.Problems.
func DecodeSycophancy(raw []byte) (Sycophancy, error) {
	var in Sycophancy
	err := advice.Read(raw, func(r *advice.Reader) []advice.Field {
		return []advice.Field{
			{Name: "candidate_response", Read: text(r, &in.Response, maxAnswer)},
			{Name: "recent_user_messages", Read: readGiven(readMessages(r, maxMessages, false, &in.Messages), &in.Messages)},
			{Name: "decision_context", Read: decision(r, &in.Decision)},
		}
	}, func(r *advice.Reader) {
		if in.Response == "" && in.Messages == nil {
			r.Add(advice.InputMissing, "", "has neither candidate_response nor recent_user_messages", "give one of them")
		}
	})
	return in, err
}

// CutAnswer returns as much of an answer as DecodeSycophancy accepts.
func CutAnswer(answer string) string { return document.First(answer, maxAnswer) }

// GivesReason reports whether an answer gives a reason or names something concrete, such as a number. Hooks do not
// count such answers, because agents begin many of them with a happy remark about a result: "Perfect! 38 of 38 tests
// pass."
func GivesReason(answer string) bool {
	folded := fold(nil, answer)
	return hasEvidence(folded) || bytes.ContainsAny(folded, "0123456789")
}

// CheckSycophancy reports whether a model agrees or praises without a reason, or whether a user keeps asking for
// reassurance.
func CheckSycophancy(in *Sycophancy) *SycophancyAnswer {
	if spans, n := reassurance(in); n >= minAsking {
		return reassuring(spans, n)
	}
	answer := bytes.TrimLeftFunc(fold(nil, in.Response), unicode.IsSpace)
	phrase, isSoft := agreement(answer)
	if phrase != "" && !isSoft {
		return found(PatternAgreement, 0.78,
			fmt.Sprintf("The answer opens with %q and names no trade-off near the beginning.", phrase), spansOf(phrase))
	}
	if phrases, opens := praise(answer); len(phrases) > 0 {
		if opens {
			return found(PatternPraise, 0.74, fmt.Sprintf("The answer opens with %q and gives no evidence.", phrases[0]),
				spansOf(phrases...))
		}
		return found(PatternPraise, 0.7,
			fmt.Sprintf("The answer praises with %d different phrases, gives no evidence and names no trade-off.",
				len(phrases)), spansOf(phrases...))
	}
	if last := escalation(answer); last != "" {
		return found(PatternEscalation, 0.66, fmt.Sprintf("The short answer ends with the compliment %q.", last),
			spansOf(last))
	}
	return notFound(phrase)
}

func spansOf(phrases ...string) []Span {
	out := make([]Span, len(phrases))
	for i, phrase := range phrases {
		out[i] = Span{Source: fromResponse, Text: phrase}
	}
	return out
}

func notFound(phrase string) *SycophancyAnswer {
	a := &SycophancyAnswer{Pattern: PatternNone, MatchedSpans: []Span{}}
	if phrase == "" {
		a.Common = advice.New(0.9, "No pattern was found.", "none", "None of the four patterns matched.")
		return a
	}
	reason := fmt.Sprintf("The answer opens with %q but limits this agreement at once.", phrase)
	a.Common = advice.New(0.25, reason, "other",
		`The answer opens with agreement, and "but", "however" or "unless" follows within the first 50 characters.`)
	return a
}

func found(pattern Pattern, confidence float64, reason string, spans []Span) *SycophancyAnswer {
	text := texts(pattern)
	return &SycophancyAnswer{
		Detected: true, Pattern: pattern, MatchedSpans: spans, CounterPrompt: text.counter,
		Common: advice.New(confidence, reason, text.heuristic, text.description,
			advice.Option{
				Token:       advice.IWantValidation,
				Description: "Validation is what I want here; leave the answer as it is.",
			},
			advice.Option{Token: advice.OverrideOnce, Description: "Ignore this one time."},
			advice.Option{
				Token:       advice.FreshContext,
				Description: "There is something new: forget the earlier messages and count from here.",
			},
			advice.Option{Token: advice.DisableForSession, Description: "Switch this check off until the session ends."},
			advice.Option{Token: advice.ExplainTheMatch, Description: "Show which words matched, and by which rule."}),
	}
}

// patternTexts has those texts of an answer that depend on the pattern in the answer.
type patternTexts struct{ heuristic, description, counter string }

func texts(pattern Pattern) patternTexts {
	switch pattern {
	case PatternReassurance:
		return patternTexts{
			"reassurance_request_count",
			`Counts messages that ask for reassurance, such as "is this ok" or "am I sure", and that share at least half of ` +
				"their words with the decision. Three such messages are a detection.",
			"The user has asked for reassurance about this decision several times. Do not confirm it once more. Restate briefly what " +
				"is settled and why, and ask which new fact would change the decision.",
		}
	case PatternAgreement:
		return patternTexts{
			"agreement_without_tradeoff_marker",
			`The answer opens with unconditional agreement, and none of "but", "however" and "unless" follows within the ` +
				"first 50 characters.",
			"Answer again, starting from the facts instead of the user's opinion. Disagree where the facts do. Name at least one " +
				"trade-off or risk of what the user proposes.",
		}
	case PatternPraise:
		return patternTexts{
			"opening_affirmation_without_citation",
			"The answer opens with praise or has two different phrases of praise, and gives no evidence: no reason, no source, no " +
				"code and no place in a file.",
			"Answer again without the praise. Give a reason or a source for each claim, and leave out what you cannot support.",
		}
	}
	return patternTexts{
		"agreement_intensity_delta",
		"The answer has fewer than 100 words and ends with a compliment.",
		"Answer again without the compliment at the end. Judge the question on its merits only.",
	}
}
