package document

import (
	"strconv"
	"strings"
)

// Decoder reads values from a tree. It collects all problems, so the caller can report them together.
type Decoder struct {
	File     string
	Problems Problems
}

// Spec describes one field of an object and how to read it.
type Spec struct {
	Name     string
	Required bool
	Read     func(n *Node, path string)
}

// Report adds a problem at a node.
func (d *Decoder) Report(n *Node, path, message, remedy string) {
	line := 0
	if n != nil {
		line = n.Line
	}
	d.Problems.Add(Problem{File: d.File, Line: line, Path: path, Message: message, Remedy: remedy})
}

// Object reads the fields of an object. It reports unknown fields and missing required fields.
func (d *Decoder) Object(n *Node, path string, specs []Spec) bool {
	return d.Fields(n, path, specs, nil)
}

// Fields is like Object, but it calls read() for each field whose spec has no function Read.
func (d *Decoder) Fields(n *Node, path string, specs []Spec, read func(name string, n *Node, path string)) bool {
	if !d.Expect(n, path, Object) {
		return false
	}
	for _, f := range n.Fields {
		if spec := find(specs, f.Name); spec != nil {
			if spec.Read != nil {
				spec.Read(f.Value, Join(path, f.Name))
			} else {
				read(spec.Name, f.Value, Join(path, f.Name))
			}
			continue
		}
		if !d.Problems.full() {
			d.Problems.Add(Problem{
				File: d.File, Line: f.Line, Path: Join(path, shorten(f.Name)),
				Message: "unknown field", Remedy: suggest(f.Name, specs),
			})
		}
	}
	for _, s := range specs {
		if s.Required && n.Field(s.Name) == nil {
			d.Report(n, Join(path, s.Name), "is missing", "add it")
		}
	}
	return true
}

// String reads a string without control characters. If the parameter "multiline" is set, newlines and tabs are allowed.
func (d *Decoder) String(n *Node, path string, multiline bool) string {
	if !d.Expect(n, path, String) {
		return ""
	}
	if i := controlIn(n.Text, multiline); i >= 0 {
		d.Report(n, path, "contains a control character at byte "+strconv.Itoa(i), "remove it")
		return ""
	}
	return n.Text
}

// Text reads a string that may contain any characters, such as a prompt or the name of a folder.
func (d *Decoder) Text(n *Node, path string) string {
	if !d.Expect(n, path, String) {
		return ""
	}
	return n.Text
}

// controlIn returns the position of the first control character in a text, or -1. If the parameter "multiline" is set,
// newlines, carriage returns and tabs are allowed.
func controlIn(text string, multiline bool) int {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n' || c == '\t' || c == '\r':
			if !multiline {
				return i
			}
		case c < ' ' || c == 0x7f:
			return i
		case c == 0xc2 && i+1 < len(text) && text[i+1] < 0xa0:
			// The bytes 0xc2 0x80 to 0xc2 0x9f encode the control characters from U+0080 to U+009F.
			return i
		}
	}
	return -1
}

// Strings reads a list of non-empty strings.
func (d *Decoder) Strings(n *Node, path string) []string {
	return d.StringsWhere(n, path, func(string) (message, remedy string) { return "", "" })
}

// StringsWhere reads a list of non-empty strings. check() returns "" for an allowed string, and otherwise a message and
// a remedy.
func (d *Decoder) StringsWhere(n *Node, path string, check func(string) (message, remedy string)) []string {
	if !d.Expect(n, path, List) {
		return nil
	}
	var out []string
	if len(n.Items) > 0 {
		out = make([]string, 0, len(n.Items))
	}
	for i, item := range n.Items {
		if item.Kind == String && item.Text != "" && controlIn(item.Text, false) < 0 {
			if message, _ := check(item.Text); message == "" {
				out = append(out, item.Text)
				continue
			}
		}
		// Building the path takes time, so build it only for a problem.
		at := Index(path, i)
		before := len(d.Problems)
		s := d.String(item, at, false)
		if len(d.Problems) > before {
			continue
		}
		message, remedy := "is empty", "remove the item or write a value"
		if s != "" {
			message, remedy = check(s)
		}
		if message != "" {
			d.Report(item, at, message, remedy)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Bool reads a boolean.
func (d *Decoder) Bool(n *Node, path string) bool {
	return d.Expect(n, path, Bool) && n.Text == "true"
}

// Int reads a whole number between the parameters "low" and "high".
func (d *Decoder) Int(n *Node, path string, low, high int) int {
	if !d.Expect(n, path, Number) {
		return low
	}
	v, err := whole(n.Text)
	if err != nil || v < low || v > high {
		d.Report(n, path, shorten(n.Text)+" is not a whole number between "+strconv.Itoa(low)+" and "+strconv.Itoa(high),
			"change it")
		return low
	}
	return v
}

// whole() returns the value of a whole number. Like JSON Schema, it accepts a whole number with a fraction of zero or
// an exponent, such as 3.0 and 1e3.
func whole(text string) (int, error) {
	v, err := strconv.Atoi(text)
	if err == nil {
		return v, nil
	}
	const exact = 1 << 53 // a float64 holds every whole number up to this one
	f, parseError := strconv.ParseFloat(text, 64)
	if parseError != nil || f < -exact || f > exact || f != float64(int(f)) {
		return 0, err
	}
	return int(f), nil
}

// Choice reads a string that must be one of the choices.
func (d *Decoder) Choice(n *Node, path string, choices []string) string {
	before := len(d.Problems)
	s := d.String(n, path, false)
	if len(d.Problems) > before {
		return ""
	}
	for _, c := range choices {
		if s == c {
			return s
		}
	}
	d.Report(n, path, Excerpt(s)+" is not accepted", "use one of "+strings.Join(choices, ", "))
	return ""
}

// Map reads an object whose keys can have any names.
func (d *Decoder) Map(n *Node, path string) map[string]any {
	if !d.Expect(n, path, Object) {
		return nil
	}
	out, _ := n.Value().(map[string]any)
	return out
}

// Numeral is a number as it is written. It is not rounded, so it can be written back unchanged.
type Numeral string

// String returns the number as it is written.
func (n Numeral) String() string { return string(n) }

// Float64 returns the number as a float64.
func (n Numeral) Float64() (float64, error) { return strconv.ParseFloat(string(n), 64) }

// MarshalJSON returns the number as it is written.
func (n Numeral) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// Value returns the node as a Go value: map[string]any, []any, string, Numeral, bool or nil.
func (n *Node) Value() any {
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Number:
		return Numeral(n.Text)
	case String:
		return n.Text
	case List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = item.Value()
		}
		return out
	case Object:
		out := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			out[f.Name] = f.Value.Value()
		}
		return out
	default:
		return nil
	}
}

// Join returns the path of a field. The argument "path" is the path of the object.
func Join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

// Index returns the path of a list item. The argument "path" is the path of the list.
func Index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// Expect reports whether a node has the given kind. If the node has another kind, Expect records the problem.
func (d *Decoder) Expect(n *Node, path string, kind Kind) bool {
	if n.Kind == kind {
		return true
	}
	d.Report(n, path, "is "+n.Kind.String()+" where "+kind.String()+" is expected", "write "+kind.String())
	return false
}

// UpTo reports whether a node is a list with at most the given number of items. If it is not, UpTo records the problem.
func (d *Decoder) UpTo(n *Node, path string, most int, remedy string) bool {
	if !d.Expect(n, path, List) {
		return false
	}
	if len(n.Items) > most {
		d.Report(n, path, "has more than "+strconv.Itoa(most)+" items", remedy)
		return false
	}
	return true
}

func find(specs []Spec, name string) *Spec {
	for i := range specs {
		if specs[i].Name == name {
			return &specs[i]
		}
	}
	return nil
}
