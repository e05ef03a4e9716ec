// Package jsontext edits a JSON document as text. It writes new values in the style of the document (indentation, line
// ends, spaces), and leaves the rest of the document unchanged.
//
// Start with Parse. At finds a value. Set, Append, Replace, Restore and Remove change a value.
package jsontext

import (
	"bytes"
	"cmp"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"guardrails/internal/document"
)

// Text is a JSON document. After an edit, the nodes that At returned before are invalid.
type Text struct {
	// File is the name of the document in messages.
	File string

	// The field "root" is the syntax tree of the document without its byte order mark. The field "top" is the same tree
	// in the form of Nodes.
	root hujson.Value
	mark []byte
	top  *Node
	src  []byte
}

// Node is one value of a document.
type Node struct {
	Kind document.Kind
	// Start and End are the positions where the text of the value begins and ends.
	Start, End int
	Members    []Member
	Items      []*Node

	value *hujson.Value
}

// Member is one key of an object with its value.
type Member struct {
	Name string
	// Start is the position of the key.
	Start int
	Value *Node
}

const byteOrderMark = "\ufeff"

// Parse reads a document. It rejects comments, trailing commas and duplicate keys, because some versions of the client
// cannot read them. It reads a blank document as an empty object.
func Parse(file string, text []byte) (*Text, error) {
	t := &Text{File: file, mark: bytes.Clone(mark(text)), src: bytes.Clone(text)}
	rest := text[len(t.mark):]
	if Blank(rest) {
		rest = []byte("{}\n")
	}
	if err := t.check(rest); err != nil {
		return nil, err
	}
	t.root = parsed(string(rest))
	t.refresh()
	if twice := t.top.duplicate(); twice != nil {
		return nil, t.duplicate(twice)
	}
	return t, nil
}

// check() returns an error if the text is not strict JSON.
func (t *Text) check(text []byte) error {
	if !utf8.Valid(text) || len(text) > document.MaxSize {
		_, problems := document.ParseJSON(t.File, text)
		return &Problem{Problem: problems[0]}
	}
	s := document.NewScanner(text, document.MaxDepth)
	if s.Skip() && s.End() {
		return nil
	}
	e := s.Err()
	p := t.problemAt(len(t.mark)+e.Offset, "", e.Message, e.Remedy)
	p.Syntax = true
	return p
}

// refresh() updates the text and the nodes after a change of the tree.
func (t *Text) refresh() {
	t.root.UpdateOffsets()
	t.src = append(bytes.Clone(t.mark), t.root.Pack()...)
	t.top = t.node(&t.root)
}

func (t *Text) node(v *hujson.Value) *Node {
	n := &Node{Start: len(t.mark) + v.StartOffset, End: len(t.mark) + v.EndOffset, value: v}
	switch c := v.Value.(type) {
	case *hujson.Object:
		n.Kind = document.Object
		for i := range c.Members {
			m := &c.Members[i]
			n.Members = append(n.Members, Member{m.Name.Value.(hujson.Literal).String(), len(t.mark) +
				m.Name.StartOffset, t.node(&m.Value)})
		}
	case *hujson.Array:
		n.Kind = document.List
		for i := range c.Elements {
			n.Items = append(n.Items, t.node(&c.Elements[i]))
		}
	case hujson.Literal:
		n.Kind = kindOf(c.Kind())
	}
	return n
}

func kindOf(k hujson.Kind) document.Kind {
	switch k {
	case '"':
		return document.String
	case '0':
		return document.Number
	case 't', 'f':
		return document.Bool
	}
	return document.Null
}

// duplicate() returns the first member whose key occurs earlier in the same object, or nil.
func (n *Node) duplicate() *Member {
	known := map[string]bool{}
	for i := range n.Members {
		m := &n.Members[i]
		if twice := m.Value.duplicate(); twice != nil || known[m.Name] {
			return cmp.Or(twice, m)
		}
		known[m.Name] = true
	}
	for _, item := range n.Items {
		if twice := item.duplicate(); twice != nil {
			return twice
		}
	}
	return nil
}

// String returns the value of a string. For other nodes it returns false.
func (t *Text) String(n *Node) (string, bool) {
	if n == nil || n.Kind != document.String {
		return "", false
	}
	return n.value.Value.(hujson.Literal).String(), true
}

// Blank reports whether a document has only white space.
func Blank(text []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(text, []byte(byteOrderMark)), " \t\r\n")) == 0
}

// mark() returns the byte order mark at the beginning of a text. It returns nothing if there is no mark.
func mark(text []byte) []byte {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return []byte(byteOrderMark)
	}
	return nil
}

// Bytes returns the document.
func (t *Text) Bytes() []byte { return bytes.Clone(t.src) }

// Raw returns the text of a value.
func (t *Text) Raw(n *Node) string { return string(t.src[n.Start:n.End]) }

// At is a method that returns the value at a path of names (string) and indices (int), or nil if there is none.
func (t *Text) At(path ...any) *Node {
	n := t.top
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

// Member returns the value of a key, or nil.
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

// Line returns the line on which a value begins.
func (t *Text) Line(n *Node) int {
	line, _ := place(t.src, n.Start)
	return line
}

// place() converts the index of a byte to a line and a column. Lines and columns count from 1. Columns count
// characters.
func place(text []byte, at int) (line, column int) {
	before := text[:at]
	line = 1 + bytes.Count(before, []byte{'\n'})
	onLine := bytes.TrimPrefix(before[bytes.LastIndexByte(before, '\n')+1:], []byte(byteOrderMark))
	return line, 1 + utf8.RuneCount(onLine)
}
