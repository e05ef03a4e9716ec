package jsontext

import (
	"strings"

	"guardrails/internal/document"
)

// Set gives a key of the object at a path its value; a new key comes last. Nothing happens where no object is.
func (t *Text) Set(name string, value any, path ...any) {
	n := t.At(path...)
	if n == nil || n.Kind != document.Object {
		return
	}
	if m := n.member(name); m != nil {
		t.replace(m.Value, value)
		return
	}
	t.add(n, func(s *style, indent string, flat bool) string {
		return s.field(Field{name, value}, indent, flat)
	})
}

// Append adds an item at the end of the list at a path. Nothing happens where no list is.
func (t *Text) Append(value any, path ...any) {
	n := t.At(path...)
	if n == nil || n.Kind != document.List {
		return
	}
	t.add(n, func(s *style, indent string, flat bool) string { return s.render(value, indent, flat) })
}

// Replace writes another value in the place of the one at a path.
func (t *Text) Replace(value any, path ...any) {
	if n := t.At(path...); n != nil {
		t.replace(n, value)
	}
}

// Restore writes the text of a value in the place of the one at a path.
func (t *Text) Restore(raw string, path ...any) {
	if n := t.At(path...); n != nil {
		t.splice(n.Start, n.End, raw)
	}
}

// Remove takes the value at a path, with its key and one comma, out of its object or list. Removing what was added last
// leaves the text as it was before; a list or object that has become empty loses the spaces in it.
func (t *Text) Remove(path ...any) {
	if len(path) == 0 {
		return
	}
	parent, n := t.At(path[:len(path)-1]...), t.At(path...)
	if n == nil {
		return
	}
	switch i := parent.index(n); {
	case parent.len() == 1:
		t.splice(parent.Start+1, parent.End-1, "")
	case i == 0:
		t.splice(parent.start(0), parent.start(1), "")
	default:
		t.splice(parent.child(i-1).End, n.End, "")
	}
}

func (n *Node) index(child *Node) int {
	for i := range n.len() {
		if n.child(i) == child {
			return i
		}
	}
	return -1
}

// replace keeps a value on one line that stood on one.
func (t *Text) replace(n *Node, value any) {
	s := t.style()
	flat := s.flat || !strings.Contains(t.Raw(n), "\n")
	t.splice(n.Start, n.End, s.render(value, t.lineIndent(n.Start), flat))
}

// add writes an item or member behind the last one, in the way in which that is written.
func (t *Text) add(n *Node, write func(s *style, indent string, flat bool) string) {
	s := t.style()
	last := n.len() - 1
	switch {
	case last < 0 && s.flat:
		t.splice(n.Start+1, n.End-1, write(&s, "", true))
	case last < 0:
		outer := t.lineIndent(n.Start)
		indent := outer + s.unit
		t.splice(n.Start+1, n.End-1, s.newline+indent+write(&s, indent, false)+s.newline+outer)
	case t.ownLine(n, last):
		indent := t.ownIndent(n, last)
		t.insert(n.child(last).End, ","+s.newline+indent+write(&s, indent, t.flatItem(n, last)))
	default:
		t.insert(n.child(last).End, s.comma+write(&s, "", true))
	}
}

// flatItem reports whether an item of a list is itself a list or an object on one line: then the next one is too.
func (t *Text) flatItem(n *Node, i int) bool {
	return n.Kind == document.List && !n.child(i).empty() && !strings.Contains(t.Raw(n.child(i)), "\n")
}

func (t *Text) insert(at int, text string) { t.splice(at, at, text) }

// splice changes the text and finds the places anew. No edit adds a key that is there.
func (t *Text) splice(from, to int, text string) {
	t.src = []byte(string(t.src[:from]) + text + string(t.src[to:]))
	t.scan()
}
