// Package jsontext edits a JSON document as the text that it is: what an edit does not touch stays byte for byte, and
// what it adds is written in the document's own style (indentation, line ends, spaces).
//
// Start with Parse; At finds a value, Set, Append, Replace, Restore and Remove change one.
package jsontext

import (
	"bytes"
	"unicode/utf8"

	"guardrails/internal/document"
)

// Text is a JSON document and the places of its values. After an edit the places are those of the new text.
type Text struct {
	// File is what messages call the document.
	File string

	src  []byte
	root *Node
}

// Node is one value of a document: where it stands and what is in it.
type Node struct {
	Kind document.Kind
	// Start and End bound the value's own text.
	Start, End int
	Members    []Member
	Items      []*Node
}

// Member is one key of an object with its value.
type Member struct {
	Name string
	// Start is where the key's quotes open.
	Start int
	Value *Node
}

const byteOrderMark = "\ufeff"

// Parse reads one document strictly: what is not JSON, a key that stands twice, and what nests too deep are errors with
// their place. A blank document is read as an empty object.
func Parse(file string, text []byte) (*Text, error) {
	if Blank(text) {
		text = append(mark(text), "{}\n"...)
	} else if read, problems := document.ParseJSON(file, text); read == nil {
		return nil, located(text, problems[len(problems)-1])
	}
	t := &Text{File: file, src: bytes.Clone(text)}
	if twice := t.scan(); twice != nil {
		return nil, t.duplicate(twice)
	}
	return t, nil
}

// Blank reports whether a document holds nothing: no bytes, or only spaces and line ends.
func Blank(text []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(text, []byte(byteOrderMark)), " \t\r\n")) == 0
}

// mark is the byte order mark that a text begins with, if any.
func mark(text []byte) []byte {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return []byte(byteOrderMark)
	}
	return nil
}

// Bytes is the document as it is now.
func (t *Text) Bytes() []byte { return bytes.Clone(t.src) }

// Raw is a value's own text.
func (t *Text) Raw(n *Node) string { return string(t.src[n.Start:n.End]) }

// At follows a path from the root, a name (string) into an object and an index (int) into a list; nil says that it
// leads nowhere.
func (t *Text) At(path ...any) *Node {
	n := t.root
	for _, step := range path {
		switch step := step.(type) {
		case string:
			n = n.Member(step)
		case int:
			n = n.item(step)
		}
		if n == nil {
			return nil
		}
	}
	return n
}

// Member is the value of a key, or nil.
func (n *Node) Member(name string) *Node {
	if m := n.member(name); m != nil {
		return m.Value
	}
	return nil
}

func (n *Node) member(name string) *Member {
	for i := range n.Members {
		if n.Members[i].Name == name {
			return &n.Members[i]
		}
	}
	return nil
}

func (n *Node) item(i int) *Node {
	if i < 0 || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// Line is the line on which a value begins.
func (t *Text) Line(n *Node) int {
	line, _ := place(t.src, n.Start)
	return line
}

// place is the line and the column, in characters, of a byte; both count from 1.
func place(text []byte, at int) (line, column int) {
	before := text[:at]
	line = 1 + bytes.Count(before, []byte{'\n'})
	onLine := bytes.TrimPrefix(before[bytes.LastIndexByte(before, '\n')+1:], []byte(byteOrderMark))
	return line, 1 + utf8.RuneCount(onLine)
}
