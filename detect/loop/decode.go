package loop

import (
	"math"
	"time"

	"guardrails/detect/advice"
	"guardrails/internal/document"
)

const (
	maxCalls = 200
	maxTool  = 256
	maxLimit = 200
	// maxText is the largest length of Call.Error and of Call.Outcome.
	maxText = 1 << 20
)

// Defaults returns the limits that apply if the caller gives none.
func Defaults() (noteAt, askAt Limits) { return Limits{4, 3, 6}, Limits{6, 5, 10} }

// Decode reads an input from JSON. The error has the type advice.Problems.
func Decode(raw []byte) (Input, error) {
	var in Input
	in.NoteAt, in.AskAt = Defaults()
	err := advice.Read(raw, func(r *advice.Reader) []advice.Field {
		return []advice.Field{
			{Name: "calls", Required: true, Read: func(n *document.Node, path string) { in.readCalls(r, n, path) }},
			{Name: "note_at", Read: in.NoteAt.reader(r)},
			{Name: "ask_at", Read: in.AskAt.reader(r)},
		}
	}, in.checkLimits)
	return in, err
}

func (in *Input) readCalls(r *advice.Reader, n *document.Node, path string) {
	if n.Kind == document.List && len(n.Items) == 0 {
		r.Add(advice.InputInvalid, path, "is empty", "give at least one call")
	}
	r.List(n, path, maxCalls, func(n *document.Node, path string) {
		var c Call
		r.Object(n, path, c.fields(r))
		in.Calls = append(in.Calls, c)
	})
}

func (c *Call) fields(r *advice.Reader) []advice.Field {
	flag := func(to *bool) func(*document.Node, string) {
		return func(n *document.Node, path string) { *to = r.Bool(n, path) }
	}
	text := func(to *string, low, most int) func(*document.Node, string) {
		return func(n *document.Node, path string) { *to = r.Text(n, path, low, most) }
	}
	return []advice.Field{
		{Name: "tool", Required: true, Read: text(&c.Tool, 1, maxTool)},
		{Name: "input", Required: true, Read: func(n *document.Node, path string) {
			if c.Input = n; n.Kind != document.Object {
				r.Add(advice.InputInvalid, path, "is "+n.Kind.String()+" where an object is expected", "write an object")
			}
		}},
		{Name: "ok", Required: true, Read: flag(&c.OK)},
		{Name: "error", Read: text(&c.Error, 0, maxText)},
		{Name: "outcome", Read: text(&c.Outcome, 0, maxText)},
		{
			Name: "at", Others: []string{"timestamp", "time", "ts"},
			Read: func(n *document.Node, path string) { c.At = readTime(r, n, path) },
		},
		{Name: "test", Read: flag(&c.Test)},
		{Name: "progress", Read: flag(&c.Progress)},
	}
}

// readTime reads a time with an offset, or a number of seconds since 1970.
func readTime(r *advice.Reader, n *document.Node, path string) *time.Time {
	if n.Kind != document.Number {
		t := r.Time(n, path).At
		return &t
	}
	const most = 1 << 40
	whole, part := math.Modf(r.Number(n, path, -most, most))
	t := time.Unix(int64(whole), int64(part*1e9)).UTC()
	return &t
}

func (l *Limits) reader(r *advice.Reader) func(*document.Node, string) {
	whole := func(to *int) func(*document.Node, string) {
		return func(n *document.Node, path string) { *to = r.Int(n, path, 2, maxLimit, advice.InputInvalid) }
	}
	return func(n *document.Node, path string) {
		r.Object(n, path, []advice.Field{
			{Name: "repetition", Read: whole(&l.Repetition)},
			{Name: "error", Read: whole(&l.Error)},
			{Name: "alternation", Read: whole(&l.Alternation)},
		})
	}
}

func (in *Input) checkLimits(r *advice.Reader) {
	check := func(name string, note, ask int) {
		if note >= ask {
			r.Add(advice.ThresholdsNotAscending, "ask_at."+name, "is not greater than note_at."+name, "make it greater")
		}
	}
	check("repetition", in.NoteAt.Repetition, in.AskAt.Repetition)
	check("error", in.NoteAt.Error, in.AskAt.Error)
	check("alternation", in.NoteAt.Alternation, in.AskAt.Alternation)
}
