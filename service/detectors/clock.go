package detectors

import (
	"strings"
	"time"

	"guardrails/detect/talk"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// A clock says how long a person has worked, over all sessions. A stretch of work continues while the person types
// prompts or answers questions, without a long pause.
type clock struct {
	Since time.Time `json:"since"`
	Last  time.Time `json:"last"`
	// The field Shown lists the levels that were shown to the person since the present stretch of work began. The field
	// "Said" is the time at which the last level was shown.
	Shown []string  `json:"shown,omitempty"`
	Said  time.Time `json:"said,omitzero"`
	// EndOfDay is the time at which the person wants to stop, such as 19:30. The field "Asked" is the time at which the
	// person set EndOfDay. EndOfDay is valid only on that day.
	EndOfDay string    `json:"end_of_day,omitempty"`
	Asked    time.Time `json:"asked,omitzero"`
}

// presence() records that the person is present.
func (c *clock) presence(now time.Time, pause time.Duration) {
	if now.Sub(c.Last) >= pause || now.Before(c.Last) {
		c.Since, c.Shown = now, nil
	}
	c.Last = now
}

// answered() records the times at which the person answered questions since the last prompt.
func (f *files) answered(c *clock, pause time.Duration) {
	const most = 1 << 20
	text, err := f.dir.Read(product.PresenceFile, most)
	if err != nil {
		return // usually there is none
	}
	for _, line := range strings.Fields(string(text)) {
		if at, err := time.Parse(time.RFC3339Nano, line); err == nil && at.After(c.Last) {
			c.presence(at, pause)
		}
	}
	_, _ = f.dir.Remove(product.PresenceFile)
}

// end() ends the stretch of work. The next prompt begins a new stretch.
func (c *clock) end() { c.Since, c.Last, c.Shown = time.Time{}, time.Time{}, nil }

// dayOf returns the day to which a time belongs. A day begins at 05:00.
func dayOf(t time.Time) string { return t.Add(-5 * time.Hour).Format(time.DateOnly) }

// endOfDay returns the time of day at which the person wants to stop, in minutes after midnight. It returns nil if
// there is no such time.
func (c *clock) endOfDay(usual string, now time.Time) *int {
	if c.EndOfDay != "" && dayOf(c.Asked) == dayOf(now) {
		usual = c.EndOfDay
	}
	at, err := time.Parse("15:04", usual)
	if err != nil {
		return nil // no time is set
	}
	minutes := 60*at.Hour() + at.Minute()
	return &minutes
}

// check() returns the answer of the detector "hyperfocus", and the level that may be shown.
func (c *clock) check(usualEnd string, breakMinutes int, now time.Time) (*talk.HyperfocusAnswer, talk.Level) {
	a := talk.CheckHyperfocus(&talk.Hyperfocus{
		Session: &talk.OpenSession{
			StartedAt: talk.Moment(c.Since), ElapsedSeconds: int(now.Sub(c.Since) / time.Second),
		},
		Now: talk.Moment(now), EndOfDay: c.endOfDay(usualEnd, now), Ladder: talk.LadderOf(breakMinutes),
	})
	return a, shownLevel(a)
}

// shownLevel returns the level that is shown to a person. If the detector is not sure, this level is one lower than the
// detector's level.
func shownLevel(a *talk.HyperfocusAnswer) talk.Level {
	const certain = 0.6
	if a.Confidence >= certain {
		return a.Level
	}
	lower := talk.LevelNone
	for _, level := range talk.Levels() {
		if level == a.Level {
			break
		}
		lower = level
	}
	return lower
}

func (f *files) clock() *clock {
	c := &clock{}
	if err := f.read(product.ClockFile, c); err != nil {
		return &clock{}
	}
	return c
}

func (f *files) saveClock(c *clock) error { return f.write(product.ClockFile, c) }

// SetClock stores a stretch of work. The parameter "since" is when the stretch began. The parameter "last" is
// when the person was last present.
func SetClock(dir *private.Dir, since, last time.Time) error {
	return (&files{dir}).saveClock(&clock{Since: since, Last: last})
}
