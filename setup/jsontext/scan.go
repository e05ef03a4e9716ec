package jsontext

import (
	"bytes"
	"encoding/json"

	"guardrails/internal/document"
)

// scanner finds where the values of a text begin and end. The text has been read strictly before, so that it checks
// nothing but keys that stand twice.
type scanner struct {
	src   []byte
	at    int
	twice *Member
}

// scan renews the places; the member that it returns has a key that stands in its object already.
func (t *Text) scan() *Member {
	s := &scanner{src: t.src, at: len(mark(t.src))}
	t.root = s.value()
	return s.twice
}

// next is the next byte that is not space.
func (s *scanner) next() byte {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) skip(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) value() *Node {
	c := s.next()
	n := &Node{Start: s.at}
	switch c {
	case '{':
		s.object(n)
	case '[':
		s.list(n)
	case '"':
		n.Kind = document.String
		s.text()
	default:
		n.Kind = kindOf(c)
		s.word()
	}
	n.End = s.at
	return n
}

func kindOf(first byte) document.Kind {
	switch first {
	case 'n':
		return document.Null
	case 't', 'f':
		return document.Bool
	}
	return document.Number
}

func (s *scanner) object(n *Node) {
	n.Kind = document.Object
	known := map[string]bool{}
	for s.at++; !s.skip('}') && s.at < len(s.src); s.skip(',') {
		s.next()
		m := Member{Start: s.at}
		s.text()
		m.Name = unquoted(s.src[m.Start:s.at])
		s.skip(':')
		m.Value = s.value()
		if known[m.Name] && s.twice == nil {
			s.twice = &m
		}
		known[m.Name] = true
		n.Members = append(n.Members, m)
	}
}

func (s *scanner) list(n *Node) {
	n.Kind = document.List
	for s.at++; !s.skip(']') && s.at < len(s.src); s.skip(',') {
		n.Items = append(n.Items, s.value())
	}
}

// text steps over a string.
func (s *scanner) text() {
	for s.at++; s.at < len(s.src) && s.src[s.at] != '"'; s.at++ {
		if s.src[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
}

// word steps over a number, true, false or null.
func (s *scanner) word() {
	for s.at < len(s.src) && bytes.IndexByte([]byte(" \t\r\n,]}:"), s.src[s.at]) < 0 {
		s.at++
	}
}

// unquoted is the value of a string as it is written.
func unquoted(quoted []byte) string {
	var text string
	// The text has been read before, so it is a string.
	_ = json.Unmarshal(quoted, &text)
	return text
}

// String is the value of a string; false says that the node is none.
func (t *Text) String(n *Node) (string, bool) {
	if n == nil || n.Kind != document.String {
		return "", false
	}
	return unquoted(t.src[n.Start:n.End]), true
}
