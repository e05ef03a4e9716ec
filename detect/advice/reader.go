package advice

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/internal/document"
)

// Reader reads an input and collects all its problems.
type Reader struct{ problems Problems }

// Field describes one field of an object.
type Field struct {
	Name string
	// The field "Others" lists alternative names of the field. An input may use one of them instead of Name.
	Others   []string
	Required bool
	Read     func(n *document.Node, path string)
}

// Read parses a JSON object and reads its fields. If no field has a problem, it calls related(), which checks whether
// the fields contradict each other. The function related() may be nil. The error has the type Problems.
func Read(text []byte, fields func(*Reader) []Field, related func(*Reader)) error {
	n, syntax := document.ParseJSON("", text)
	r := &Reader{}
	for _, p := range syntax {
		r.Add(InputInvalid, p.Path, p.Message, p.Remedy)
	}
	if n != nil {
		r.Object(n, "", fields(r))
	}
	if len(r.problems) == 0 && related != nil {
		related(r)
	}
	return r.problems.err()
}

// Add adds a problem to the problems that the Reader has found.
func (r *Reader) Add(code Code, path, message, remedy string) {
	switch {
	case len(r.problems) < maxProblems-1:
		r.problems = append(r.problems, Problem{code, path, message, remedy})
	case len(r.problems) == maxProblems-1:
		r.problems = append(r.problems, Problem{
			Code: InputInvalid, Message: "the input has more problems than are listed", Remedy: "fix these first",
		})
	}
}

func (r *Reader) invalid(path, message, remedy string) { r.Add(InputInvalid, path, message, remedy) }

func (r *Reader) is(n *document.Node, path string, kind document.Kind) bool {
	if n.Kind != kind {
		r.invalid(path, "is "+n.Kind.String()+" where "+kind.String()+" is expected", "write "+kind.String())
	}
	return n.Kind == kind
}

// Object reads an object. An unknown field, a missing required field, and a field that occurs under two of its names
// are problems.
func (r *Reader) Object(n *document.Node, path string, fields []Field) {
	if !r.is(n, path, document.Object) {
		return
	}
	seen := make([]string, len(fields))
	for _, member := range n.Fields {
		at := document.Join(path, shortName(member.Name))
		i := indexOf(fields, member.Name)
		switch {
		case i < 0:
			r.invalid(at, "is not a field", "remove it; the fields are "+names(fields))
		case seen[i] != "":
			other := member.Name
			if other == fields[i].Name {
				other = seen[i]
			}
			r.invalid(document.Join(path, other), "is another name of "+fields[i].Name, "keep one of the two")
		default:
			seen[i] = member.Name
			fields[i].Read(member.Value, at)
		}
	}
	for i, f := range fields {
		if f.Required && seen[i] == "" {
			r.invalid(document.Join(path, f.Name), "is missing", "add it")
		}
	}
}

func indexOf(fields []Field, name string) int {
	for i := range fields {
		if fields[i].Name == name {
			return i
		}
		for _, other := range fields[i].Others {
			if other == name {
				return i
			}
		}
	}
	return -1
}

func names(fields []Field) string {
	out := make([]string, len(fields))
	for i := range fields {
		out[i] = fields[i].Name
	}
	return strings.Join(out, ", ")
}

func shortName(name string) string {
	const most = 64
	for i := range name {
		if i >= most {
			return name[:i] + "…"
		}
	}
	return name
}

// Text reads a text. The number of its characters must be at least the parameter "low" and at most the parameter
// "high".
func (r *Reader) Text(n *document.Node, path string, low, high int) string {
	if !r.is(n, path, document.String) {
		return ""
	}
	switch length := utf8.RuneCountInString(n.Text); {
	case length > high:
		r.Add(InputTooLarge, path, fmt.Sprintf("has %d characters", length), fmt.Sprintf("keep it to %d", high))
	case length < low:
		r.invalid(path, "is empty", "write a text")
	}
	return n.Text
}

// Choice reads one of several words.
func (r *Reader) Choice(n *document.Node, path string, choices ...string) string {
	if !r.is(n, path, document.String) {
		return ""
	}
	for _, c := range choices {
		if n.Text == c {
			return c
		}
	}
	r.invalid(path, document.Excerpt(n.Text)+" is not accepted", "use one of "+strings.Join(choices, ", "))
	return ""
}

// Bool reads true or false.
func (r *Reader) Bool(n *document.Node, path string) bool {
	return r.is(n, path, document.Bool) && n.Text == "true"
}

// Int reads a whole number. A number that is too small or too large is reported with the given code.
func (r *Reader) Int(n *document.Node, path string, low, high int, code Code) int {
	if !r.is(n, path, document.Number) {
		return low
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	switch {
	case err != nil && !math.IsInf(v, 0) || v != math.Trunc(v):
		r.invalid(path, document.Excerpt(n.Text)+" is not a whole number", "write a whole number")
		return low
	case v < float64(low) || v > float64(high):
		r.Add(code, path, shortName(n.Text)+" is not between "+strconv.Itoa(low)+" and "+strconv.Itoa(high), "change it")
		return low
	}
	return int(v)
}

// Number reads a number.
func (r *Reader) Number(n *document.Node, path string, low, high float64) float64 {
	if !r.is(n, path, document.Number) {
		return low
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || v < low || v > high {
		r.invalid(path, shortName(n.Text)+" is not between "+plain(low)+" and "+plain(high), "change it")
	}
	return v
}

func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// List reads the items of a list. If the list has more items than the parameter "most" allows, List reads none of them.
func (r *Reader) List(n *document.Node, path string, most int, read func(n *document.Node, path string)) {
	if !r.is(n, path, document.List) {
		return
	}
	if len(n.Items) > most {
		r.Add(InputTooLarge, path, fmt.Sprintf("has %d items", len(n.Items)), fmt.Sprintf("keep the newest %d", most))
		return
	}
	for i, item := range n.Items {
		read(item, document.Index(path, i))
	}
}

// Time is a time in an input.
type Time struct {
	Text string
	// The field "At" is the time in UTC. Offset is what must be added to At to get the local time.
	At     time.Time
	Offset time.Duration
}

// Local returns the local time as if it were UTC.
func (t Time) Local() time.Time { return t.At.Add(t.Offset) }

// Time reads a time with an offset, such as 2026-05-16T13:00:00+01:00.
func (r *Reader) Time(n *document.Node, path string) Time {
	if !r.is(n, path, document.String) {
		return Time{}
	}
	at, ok := document.ParseTime(n.Text)
	if !ok {
		r.invalid(path, document.Excerpt(n.Text)+" is not a time with an offset",
			"write it like 2026-05-16T13:00:00Z or 2026-05-16T13:00:00+01:00")
		return Time{}
	}
	return Time{Text: n.Text, At: at, Offset: offset(n.Text)}
}

// offset() returns the offset at the end of a valid time.
func offset(text string) time.Duration {
	if strings.HasSuffix(text, "Z") {
		return 0
	}
	zone := text[len(text)-len("+00:00"):]
	number := func(s string) time.Duration { return time.Duration(s[0]-'0')*10 + time.Duration(s[1]-'0') }
	d := number(zone[1:])*time.Hour + number(zone[4:])*time.Minute
	if zone[0] == '-' {
		return -d
	}
	return d
}
