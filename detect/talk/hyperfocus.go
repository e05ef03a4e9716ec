package talk

import (
	"fmt"
	"strings"
	"time"

	"guardrails/detect/advice"
)

// Hyperfocus is the input of CheckHyperfocus.
type Hyperfocus struct {
	// Session is nil if no session is open.
	Session *OpenSession
	Now     advice.Time
	// SwitchedAway is set if the user is doing something else at the moment.
	SwitchedAway bool
	// EndOfDay is the time at which the user wants to stop, in minutes after midnight. It is nil if the user gave no
	// time.
	EndOfDay *int
	Ladder   Ladder
}

// OpenSession is the session that the user works in.
type OpenSession struct {
	ID, Intent     string
	StartedAt      advice.Time
	ElapsedSeconds int
}

// Ladder says after how many minutes of a session each level begins.
type Ladder struct{ Gentle, Nudge, Hard int }

// Level says how long a session has gone on.
type Level string

// The levels, lowest first.
const (
	LevelNone   Level = "none"
	LevelGentle Level = "gentle"
	LevelNudge  Level = "nudge"
	LevelHard   Level = "hard"
)

// Levels returns all levels, lowest first.
func Levels() []Level { return []Level{LevelNone, LevelGentle, LevelNudge, LevelHard} }

// Action is what a detector suggests to the user.
type Action string

// The actions that CheckHyperfocus suggests.
const (
	ActionNone    Action = "no_action"
	ActionStretch Action = "stand_and_stretch"
	ActionSwitch  Action = "switch_context"
	ActionClose   Action = "quote_prior_intent_and_offer_close"
)

// HyperfocusAnswer is the answer of CheckHyperfocus.
type HyperfocusAnswer struct {
	Level          Level `json:"level"`
	ElapsedSeconds int   `json:"elapsed_seconds"`
	// PriorIntent is what the user wanted to do, word for word.
	PriorIntent string `json:"prior_intent,omitempty"`
	// SinceEnd is the time since the end of the day, such as PT1H37M. SinceEnd is empty before the end.
	SinceEnd        string `json:"time_since_stated_end,omitempty"`
	SuggestedAction Action `json:"suggested_action"`
	advice.Common
}

// CheckHyperfocus reports how long a session has gone on, and whether the user wanted to stop earlier.
func CheckHyperfocus(in *Hyperfocus) *HyperfocusAnswer {
	a := &HyperfocusAnswer{Level: LevelNone, SuggestedAction: ActionNone}
	past := in.sinceEnd()
	if past > 0 {
		a.SinceEnd = isoDuration(past)
	}
	if in.Session == nil {
		a.Common = common(1, "No session is open.", LevelNone)
		return a
	}
	a.ElapsedSeconds, a.PriorIntent = in.Session.ElapsedSeconds, in.Session.Intent
	at, lifted := in.level(past > 0)
	a.Level = Levels()[at]
	a.SuggestedAction = []Action{ActionNone, ActionStretch, ActionSwitch, ActionClose}[at]
	a.Common = common(in.Ladder.confidence(a.Level, float64(a.ElapsedSeconds)), in.reason(a.Level, lifted, past), a.Level)
	return a
}

// level() returns the level of a session as a position in Levels. The result "lifted" is set if the level is higher
// because the user's day has ended.
func (in *Hyperfocus) level(isPast bool) (at int, lifted bool) {
	for _, minutes := range []int{in.Ladder.Gentle, in.Ladder.Nudge, in.Ladder.Hard} {
		if in.Session.ElapsedSeconds >= 60*minutes {
			at++
		}
	}
	if isPast && (at == 1 || at == 2) {
		at, lifted = at+1, true
	}
	if in.SwitchedAway && at > 0 {
		at--
	}
	return at, lifted
}

// sinceEnd returns how long ago the user's day ended. It returns zero if the day has not ended, or if its end is
// unknown. A new day begins at 05:00.
func (in *Hyperfocus) sinceEnd() time.Duration {
	if in.EndOfDay == nil {
		return 0
	}
	const dawn = 5 * time.Hour
	now := in.Now.Local()
	morning := now.Add(-dawn).Truncate(24 * time.Hour) // midnight at the beginning of this day
	end := morning.Add(time.Duration(*in.EndOfDay) * time.Minute)
	if end.Sub(morning) < dawn {
		end = end.Add(24 * time.Hour)
	}
	return max(0, now.Sub(end))
}

// isoDuration returns a duration such as PT1H37M. It leaves out fractions of a second. For less than a second, it
// returns PT1S.
func isoDuration(d time.Duration) string {
	seconds := max(1, int(d/time.Second))
	var b strings.Builder
	b.WriteString("PT")
	for _, part := range []struct {
		count int
		unit  byte
	}{{seconds / 3600, 'H'}, {seconds / 60 % 60, 'M'}, {seconds % 60, 'S'}} {
		if part.count > 0 {
			fmt.Fprintf(&b, "%d%c", part.count, part.unit)
		}
	}
	return b.String()
}

// confidence() returns how certain a level is. The confidence grows with the time since the level began. It is lower
// for a level that the session reached only because the user's day has ended.
func (l Ladder) confidence(level Level, elapsed float64) float64 {
	gentle, nudge, hard := 60*float64(l.Gentle), 60*float64(l.Nudge), 60*float64(l.Hard)
	switch level {
	case LevelGentle:
		return 0.55 + 0.3*min((elapsed-gentle)/(nudge-gentle), 1)
	case LevelNudge:
		return 0.7 + 0.2*min((elapsed-nudge)/(hard-nudge), 1)
	case LevelHard:
		return 0.88 + 0.1*min((elapsed-hard)/1800, 1)
	}
	return 0.95
}

func (in *Hyperfocus) reason(level Level, lifted bool, past time.Duration) string {
	reason := fmt.Sprintf("The session has been open for %s.", minutes(in.Session.ElapsedSeconds/60))
	if level == LevelNone {
		return reason + fmt.Sprintf(" The first level begins at %d minutes.", in.Ladder.Gentle)
	}
	reason += fmt.Sprintf(" The levels begin at %d, %d and %d minutes.", in.Ladder.Gentle, in.Ladder.Nudge, in.Ladder.Hard)
	if lifted {
		reason += fmt.Sprintf(" You planned to stop at %02d:%02d, %s ago.",
			*in.EndOfDay/60, *in.EndOfDay%60, minutes(int(past/time.Minute)))
	}
	return reason
}

func minutes(n int) string {
	if n == 1 {
		return "1 minute"
	}
	return fmt.Sprintf("%d minutes", n)
}

func common(confidence float64, reason string, level Level) advice.Common {
	return advice.New(confidence, reason, "elapsed_threshold_with_eod",
		"Compares the time since the session began with three thresholds, at which the levels gentle, nudge and hard begin. "+
			"After the time at which the user wanted to stop, gentle becomes nudge, and nudge becomes hard. While the user is "+
			"away, the level is one lower.", hyperfocusOptions(level)...)
}

func hyperfocusOptions(level Level) []advice.Option {
	disable := advice.Option{
		Token: advice.DisableForSession, Description: "Switch this check off until the session ends.",
	}
	switch level {
	case LevelNone:
		return nil
	case LevelGentle:
		return []advice.Option{disable}
	}
	return []advice.Option{
		{Token: advice.Snooze15m, Description: "Say nothing for 15 minutes."},
		{Token: advice.CommitAndClose, Description: "Save the work and end the session here."},
		{Token: advice.ExtendEndOfDay, Description: "Move the end of the day to a later time, such as 19:30."},
		disable,
	}
}
