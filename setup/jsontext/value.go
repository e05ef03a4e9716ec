package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Object is a JSON object to write, with its fields in order.
type Object []Field

// Field is one key of an Object. Its value is a string, a bool, a number, an Object, a Line, a List or a Words.
type Field struct {
	Name  string
	Value any
}

// Line is an Object on one line.
type Line []Field

// List is a list with one item per line.
type List []any

// Words is a list of strings on one line.
type Words []string

// render() returns a value as text. Lines after the first have the given indentation.
func (s *style) render(value any, indent string, flat bool) string {
	var parts []string
	brackets := "{}"
	within := indent + s.unit
	switch v := value.(type) {
	case Words:
		for _, word := range v {
			parts = append(parts, quoted(word))
		}
		return "[" + strings.Join(parts, s.comma) + "]"
	case Line:
		parts, flat = s.fields(Object(v), "", true), true
	case Object:
		parts = s.fields(v, within, flat)
	case List:
		brackets = "[]"
		for _, item := range v {
			parts = append(parts, s.render(item, within, flat))
		}
	default:
		return quoted(value)
	}
	if flat || len(parts) == 0 {
		return brackets[:1] + strings.Join(parts, s.comma) + brackets[1:]
	}
	lead := s.newline + within
	return brackets[:1] + lead + strings.Join(parts, ","+lead) + s.newline + indent + brackets[1:]
}

func (s *style) fields(list Object, indent string, flat bool) []string {
	var parts []string
	for _, f := range list {
		parts = append(parts, s.field(f, indent, flat))
	}
	return parts
}

func (s *style) field(f Field, indent string, flat bool) string {
	return quoted(f.Name) + s.colon + s.render(f.Value, indent, flat)
}

// quoted() returns a string, a number or a boolean as JSON. It does not escape <, > and &.
func quoted(value any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// Encoding cannot fail for values of these kinds.
	_ = enc.Encode(value)
	return strings.TrimSuffix(b.String(), "\n")
}

// Same reports whether a value of the document is equal to a value to write. White space, escapes and the order of keys
// do not matter.
func (t *Text) Same(n *Node, value any) bool {
	s := style{colon: ":", comma: ","}
	return equal(t.src[n.Start:n.End], []byte(s.render(value, "", true)))
}

// equal() reports whether two JSON texts have the same value.
func equal(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	left, errLeft := json.Marshal(x)
	right, errRight := json.Marshal(y)
	return errLeft == nil && errRight == nil && bytes.Equal(left, right)
}
