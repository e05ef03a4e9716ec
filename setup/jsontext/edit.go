package jsontext

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"guardrails/internal/document"
)

// Set sets a key of the object at a path. It adds a new key at the end. If there is no object at the path, it does
// nothing.
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

// Append adds an item at the end of the list at a path. If there is no list at the path, it does nothing.
func (t *Text) Append(value any, path ...any) {
	n := t.At(path...)
	if n == nil || n.Kind != document.List {
		return
	}
	t.add(n, func(s *style, indent string, flat bool) string { return s.render(value, indent, flat) })
}

// Replace replaces the value at a path.
func (t *Text) Replace(value any, path ...any) {
	if n := t.At(path...); n != nil {
		t.replace(n, value)
	}
}

// Restore replaces the value at a path with the given JSON text.
func (t *Text) Restore(raw string, path ...any) {
	if n := t.At(path...); n != nil {
		t.setValue(n, raw)
	}
}

// Remove removes the value at a path, with its key and one comma. If the value was added last, Remove restores the
// previous text, with one difference: an object or list that becomes empty loses its white space.
func (t *Text) Remove(path ...any) {
	if len(path) == 0 {
		return
	}
	parent, n := t.At(path[:len(path)-1]...), t.At(path...)
	if n == nil {
		return
	}
	i := parent.index(n)
	switch c := parent.value.Value.(type) {
	case *hujson.Object:
		if i == 0 && len(c.Members) > 1 {
			c.Members[1].Name.BeforeExtra = c.Members[0].Name.BeforeExtra
		} else if i > 0 {
			c.Members[i-1].Value.AfterExtra = n.value.AfterExtra
		}
		if c.Members = slices.Delete(c.Members, i, i+1); len(c.Members) == 0 {
			c.AfterExtra = nil
		}
	case *hujson.Array:
		if i == 0 && len(c.Elements) > 1 {
			c.Elements[1].BeforeExtra = c.Elements[0].BeforeExtra
		} else if i > 0 {
			c.Elements[i-1].AfterExtra = n.value.AfterExtra
		}
		if c.Elements = slices.Delete(c.Elements, i, i+1); len(c.Elements) == 0 {
			c.AfterExtra = nil
		}
	}
	t.refresh()
}

func (n *Node) index(child *Node) int {
	for i := range n.len() {
		if n.child(i) == child {
			return i
		}
	}
	return -1
}

// replace() replaces a value. If the old value was on one line, the new value is written on one line too.
func (t *Text) replace(n *Node, value any) {
	s := t.style()
	flat := s.flat || !strings.Contains(t.Raw(n), "\n")
	t.setValue(n, s.render(value, t.lineIndent(n.Start), flat))
}

func (t *Text) setValue(n *Node, raw string) {
	n.value.Value = parsed(raw).Value
	t.refresh()
}

// parsed() parses a text that is valid JSON, because it was checked or this package has written it.
func parsed(raw string) hujson.Value {
	v, err := hujson.Parse([]byte(raw))
	if err != nil {
		panic("jsontext: " + err.Error())
	}
	return v
}

// add() writes a new item or member after the last item or member of the node n, in the same style.
func (t *Text) add(n *Node, write func(s *style, indent string, flat bool) string) {
	s := t.style()
	last := n.len() - 1
	switch {
	case last < 0 && s.flat:
		n.put("", write(&s, "", true), nil)
	case last < 0:
		outer := t.lineIndent(n.Start)
		indent := outer + s.unit
		n.put(s.newline+indent, write(&s, indent, false), hujson.Extra(s.newline+outer))
	case t.ownLine(n, last):
		indent := t.ownIndent(n, last)
		n.put(s.newline+indent, write(&s, indent, t.flatItem(n, last)), n.after())
	default:
		n.put(strings.TrimPrefix(s.comma, ","), write(&s, "", true), n.after())
	}
	t.refresh()
}

// put() adds an item or member. The parameter "before" is the white space in front of the new item. The parameter
// "after" is the white space between the new item and the closing bracket.
func (n *Node) put(before, raw string, after hujson.Extra) {
	switch c := n.value.Value.(type) {
	case *hujson.Object:
		m := parsed("{" + raw + "}").Value.(*hujson.Object).Members[0]
		m.Name.BeforeExtra = hujson.Extra(before)
		c.Members, c.AfterExtra = append(c.Members, m), after
	case *hujson.Array:
		v := parsed(raw)
		v.BeforeExtra = hujson.Extra(before)
		c.Elements, c.AfterExtra = append(c.Elements, v), after
	}
}

func (n *Node) after() hujson.Extra {
	switch c := n.value.Value.(type) {
	case *hujson.Object:
		return c.AfterExtra
	case *hujson.Array:
		return c.AfterExtra
	}
	return nil
}

// flatItem reports whether the i-th item of a list is a list or an object on one line. If so, a new item is also
// written on one line.
func (t *Text) flatItem(n *Node, i int) bool {
	return n.Kind == document.List && !n.child(i).empty() && !strings.Contains(t.Raw(n.child(i)), "\n")
}
