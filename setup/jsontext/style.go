package jsontext

import (
	"bytes"
	"strings"
)

type style struct {
	// The field "newline" is the text at the end of each line. The field "unit" is one level of indentation.
	newline, unit string
	// The fields "colon" and "comma" include the white space that follows them within a line.
	colon, comma string
	flat         bool
}

func (t *Text) style() style {
	s := style{newline: "\n", unit: t.unit(), colon: t.colon()}
	if i := bytes.IndexByte(t.src, '\n'); i > 0 && t.src[i-1] == '\r' {
		s.newline = "\r\n"
	}
	s.comma = t.comma(s.colon)
	s.flat = !t.top.empty() && !strings.Contains(t.Raw(t.top), "\n")
	return s
}

// unit() returns the indentation of the first indented value, relative to its parent.
func (t *Text) unit() string {
	unit := "  "
	t.eachParent(t.top, func(n *Node) bool {
		further, ok := strings.CutPrefix(t.ownIndent(n, 0), t.lineIndent(n.Start))
		if !ok || further == "" {
			return true
		}
		unit = further
		return false
	})
	return unit
}

// colon() returns the colon and its white space, as in the first member of the document.
func (t *Text) colon() string {
	colon := ": "
	t.eachParent(t.top, func(n *Node) bool {
		if len(n.Members) == 0 {
			return true
		}
		if t.src[n.Members[0].Value.Start-1] == ':' {
			colon = ":"
		}
		return false
	})
	return colon
}

// comma() returns the comma and its white space, as between the first two values on the same line. If no line has two
// values, it uses the same white space as after a colon.
func (t *Text) comma(colon string) string {
	comma := "," + strings.TrimPrefix(colon, ":")
	t.eachParent(t.top, func(n *Node) bool {
		if n.len() < 2 || t.ownLine(n, 1) {
			return true
		}
		if comma = ", "; t.src[n.start(1)-1] == ',' {
			comma = ","
		}
		return false
	})
	return comma
}

// eachParent calls visit() for every list and object that is not empty, until visit() returns false. A list or object
// comes before the lists and objects in it.
func (t *Text) eachParent(n *Node, visit func(*Node) bool) bool {
	if n.empty() {
		return true
	}
	if !visit(n) {
		return false
	}
	for i := range n.len() {
		if !t.eachParent(n.child(i), visit) {
			return false
		}
	}
	return true
}

func (n *Node) len() int    { return len(n.Members) + len(n.Items) }
func (n *Node) empty() bool { return n.len() == 0 }

func (n *Node) child(i int) *Node {
	if len(n.Members) > 0 {
		return n.Members[i].Value
	}
	return n.Items[i]
}

// start() returns the position at which the i-th item or member begins. A member begins with its key.
func (n *Node) start(i int) int {
	if len(n.Members) > 0 {
		return n.Members[i].Start
	}
	return n.Items[i].Start
}

// textBefore returns the text between the i-th item or member and the previous one. For the first item or member, it
// returns the text after the opening bracket.
func (t *Text) textBefore(n *Node, i int) string {
	from := n.Start + 1
	if i > 0 {
		from = n.child(i - 1).End
	}
	return string(t.src[from:n.start(i)])
}

// ownLine reports whether the i-th item or member is the first on its line.
func (t *Text) ownLine(n *Node, i int) bool { return strings.Contains(t.textBefore(n, i), "\n") }

// ownIndent returns the indentation of an item or member that is the first on its line, or "".
func (t *Text) ownIndent(n *Node, i int) string {
	if !t.ownLine(n, i) {
		return ""
	}
	return t.lineIndent(n.start(i))
}

func (t *Text) lineIndent(at int) string {
	line := bytes.TrimPrefix(t.src[bytes.LastIndexByte(t.src[:at], '\n')+1:at], []byte(byteOrderMark))
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
