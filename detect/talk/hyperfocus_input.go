package talk

import (
	"math"

	"guardrails/detect/advice"
	"guardrails/internal/document"
)

// snapshot is an input with the fields from which DecodeHyperfocus computes other fields.
type snapshot struct {
	Hyperfocus
	sessionID    string
	breakMinutes int
	ladder       *Ladder
}

// DecodeHyperfocus reads an input from JSON. The error has the type advice.Problems.
func DecodeHyperfocus(raw []byte) (Hyperfocus, error) {
	in := &snapshot{breakMinutes: 90}
	err := advice.Read(raw, in.fields, in.checkRelated)
	in.Ladder = LadderOf(in.breakMinutes)
	if in.ladder != nil {
		in.Ladder = *in.ladder
	}
	return in.Hyperfocus, err
}

// LadderOf returns the Ladder for a user who wants a break after the given number of minutes.
func LadderOf(minutes int) Ladder {
	third := float64(minutes) / 3
	return Ladder{int(math.Round(2 * third)), minutes, int(math.Round(4 * third))}
}

func (in *snapshot) fields(r *advice.Reader) []advice.Field {
	return []advice.Field{
		{Name: "chronometric_snapshot", Required: true, Read: func(n *document.Node, path string) {
			r.Object(n, path, in.clockFields(r))
		}},
		{Name: "session_id", Read: text(r, &in.sessionID, maxSession)},
		{Name: "hyperfocus_break_minutes", Read: whole(r, &in.breakMinutes, 15, 480, advice.InputInvalid)},
		{Name: "end_of_day_local", Read: func(n *document.Node, path string) { in.EndOfDay = endOfDay(r, n, path) }},
		{Name: "escalation_thresholds", Read: func(n *document.Node, path string) {
			in.ladder = &Ladder{}
			r.Object(n, path, []advice.Field{
				{Name: "gentle", Required: true, Read: whole(r, &in.ladder.Gentle, 5, 480, advice.InputInvalid)},
				{Name: "nudge", Required: true, Read: whole(r, &in.ladder.Nudge, 5, 480, advice.InputInvalid)},
				{Name: "hard", Required: true, Read: whole(r, &in.ladder.Hard, 5, 480, advice.InputInvalid)},
			})
		}},
	}
}

func (in *snapshot) clockFields(r *advice.Reader) []advice.Field {
	return []advice.Field{
		{Name: "open_session", Read: func(n *document.Node, path string) {
			if n.Kind != document.Null {
				in.Session = &OpenSession{}
				r.Object(n, path, in.Session.fields(r))
			}
		}},
		{
			Name: "now", Others: []string{"at", "timestamp", "time", "ts"}, Required: true,
			Read: moment(r, &in.Now),
		},
		{Name: "idle_signal", Read: func(n *document.Node, path string) {
			const away = "switched_away"
			in.SwitchedAway = r.Choice(n, path, "active", away, "unknown") == away
		}},
	}
}

func (s *OpenSession) fields(r *advice.Reader) []advice.Field {
	const most = 1 << 53
	return []advice.Field{
		{Name: "session_id", Required: true, Read: text(r, &s.ID, maxSession)},
		{Name: "started_at", Others: []string{"startedAt", "start"}, Required: true, Read: moment(r, &s.StartedAt)},
		{Name: "intent", Required: true, Read: text(r, &s.Intent, maxIntent)},
		{
			Name: "elapsed_seconds", Others: []string{"elapsedSeconds"}, Required: true,
			Read: whole(r, &s.ElapsedSeconds, 0, most, advice.InputInvalid),
		},
	}
}

// endOfDay reads a time of the day, such as 18:30, and returns it in minutes after midnight.
func endOfDay(r *advice.Reader, n *document.Node, path string) *int {
	if n.Kind != document.String {
		r.Text(n, path, 1, len("18:30"))
		return nil
	}
	at, ok := document.ParseTime("2000-01-01T" + n.Text + ":00Z")
	if !ok {
		r.Add(advice.InvalidEndOfDay, path, document.Excerpt(n.Text)+" is not a time of the day",
			"write it like 18:30, from 00:00 to 23:59")
		return nil
	}
	minutes := 60*at.Hour() + at.Minute()
	return &minutes
}

func (in *snapshot) checkRelated(r *advice.Reader) {
	if in.sessionID != "" && in.Session != nil && in.sessionID != in.Session.ID {
		r.Add(advice.SessionIDMismatch, "session_id", "is not the id of the open session", "give the same id in both places")
	}
	if l := in.ladder; l != nil && (l.Gentle >= l.Nudge || l.Nudge >= l.Hard) {
		r.Add(advice.ThresholdsNotAscending, "escalation_thresholds", "do not ascend",
			"make gentle less than nudge, and nudge less than hard")
	}
}
