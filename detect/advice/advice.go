// Package advice contains what all detectors share: the fields that are in every answer, the words with which a person
// dismisses a detection, and the strict reader of inputs. A detector is a function that looks for one pattern in the
// recent actions of an agent or a person, such as a repeated call.
//
// A detector never blocks anything. Its answer says what the detector counted, how sure it is, and how to go on.
package advice

import (
	"math"
	"strconv"
)

// Version is the version of all rules. It increases whenever a changed rule can give a different answer to the same
// input.
const Version = "1.0.0"

// NoFeedback is the value of FeedbackPath if the settings name no address for reports about false alarms.
const NoFeedback = "urn:guardrails:feedback:none"

// Common has the fields that each answer of a detector has.
type Common struct {
	// Confidence is between 0 and 1.
	Confidence float64   `json:"confidence"`
	Reason     string    `json:"reason"`
	Heuristic  Heuristic `json:"heuristic"`
	// OverrideOptions are the ways to dismiss the detection. The list is empty if the detector found nothing.
	OverrideOptions []Option `json:"override_options"`
	// FeedbackPath is the URI at which a person reports a false alarm, or NoFeedback.
	FeedbackPath string `json:"false_positive_feedback_path"`
}

// ReportTo sets the address for reports about false alarms. If the parameter "url" is empty, ReportTo changes nothing.
func (c *Common) ReportTo(url string) {
	if url != "" {
		c.FeedbackPath = url
	}
}

// Heuristic names the rule that decided.
type Heuristic struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

// Option is a word that a person can type, with its meaning.
type Option struct {
	Token       Token  `json:"token"`
	Description string `json:"description"`
}

// Token is a word with which a person dismisses a detection.
type Token string

// All tokens.
const (
	FreshContext      Token = "fresh-context"
	OverrideOnce      Token = "override-once"
	DisableForSession Token = "disable-for-session"
	LowerSensitivity  Token = "lower-sensitivity"
	Snooze15m         Token = "snooze-15m"
	SnoozeOnce        Token = "snooze-once"
	CommitAndClose    Token = "commit-and-close"
	ExtendEndOfDay    Token = "extend-end-of-day"
	IWantValidation   Token = "i-want-validation"
	ExplainTheMatch   Token = "explain-the-match"
)

// Tokens returns all tokens.
func Tokens() []Token {
	return []Token{
		FreshContext, OverrideOnce, DisableForSession, LowerSensitivity, Snooze15m, SnoozeOnce, CommitAndClose,
		ExtendEndOfDay, IWantValidation, ExplainTheMatch,
	}
}

// New returns the common fields of an answer. The confidence is limited to 0 and 1 and rounded to four decimals.
func New(confidence float64, reason, heuristic, description string, options ...Option) Common {
	return Common{
		Confidence: Round(min(max(confidence, 0), 1)), Reason: reason,
		Heuristic:       Heuristic{Name: heuristic, Version: Version, Description: description},
		OverrideOptions: append([]Option{}, options...), FeedbackPath: NoFeedback,
	}
}

// Round rounds a number to four decimals. A number halfway between two results is rounded to the even result.
func Round(f float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 4, 64), 64)
	if err != nil {
		return math.NaN()
	}
	return rounded
}
