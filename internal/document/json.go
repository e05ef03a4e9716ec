package document

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseJSON reads one JSON document and skips a byte order mark before it. It stops at a syntax error. Duplicate keys
// are reported together with the problems that a Decoder finds later.
func ParseJSON(file string, text []byte) (*Node, Problems) {
	if len(text) > MaxSize {
		return nil, Problems{TooLarge(file)}
	}
	return new(Reader).Read(file, string(text))
}

// Reader reads several documents, one after the other, into the same memory.
type Reader struct {
	nodes []Node
	used  int
	// first is how many nodes are allocated at first.
	first int
}

// Read parses a string like ParseJSON. The values are parts of the text. The nodes are valid until the next call.
func (r *Reader) Read(file, text string) (*Node, Problems) {
	if len(text) > MaxSize {
		return nil, Problems{TooLarge(file)}
	}
	if !utf8.ValidString(text) {
		return nil, Problems{{File: file, Message: "is not valid UTF-8", Remedy: "save the file as UTF-8"}}
	}
	p := &jsonParser{Scanner: Scanner{text: strings.TrimPrefix(text, "\ufeff"), line: 1, limit: MaxDepth}, file: file, nodes: r}
	r.used, r.first = 0, min(len(text)/perNode+1, fewNodes)
	node := p.value()
	if node != nil && p.End() {
		return node, p.problems
	}
	e := p.Err()
	return nil, append(p.problems, Problem{File: file, Line: e.Line, Message: e.Message, Remedy: e.Remedy})
}

// TooLarge returns the problem of a text that is larger than MaxSize.
func TooLarge(file string) Problem {
	return Problem{
		File: file, Message: "is larger than " + strconv.Itoa(MaxSize>>20) + " MiB",
		Remedy: "split it into several files",
	}
}

// TooDeep returns the problem of a document that is nested deeper than MaxDepth.
func TooDeep(file string, line int) Problem {
	return Problem{
		File: file, Line: line, Message: "nests deeper than " + strconv.Itoa(MaxDepth) + " levels",
		Remedy: "flatten it",
	}
}

// DuplicateKey returns the problem of a key that an object has twice.
func DuplicateKey(file string, line int, name string) Problem {
	return Problem{
		File: file, Line: line, Message: "duplicate key " + Excerpt(name),
		Remedy: "keep one of the two",
	}
}

// jsonParser builds the tree. The decoder of encoding/json takes seconds for what a hostile client may send, and does not
// report lines.
type jsonParser struct {
	Scanner
	file     string
	problems Problems
	nodes    *Reader
}

// A short text has about one node for perNode bytes. For a long one, fewNodes are allocated at first.
const (
	perNode  = 12
	fewNodes = 80
)

// node returns a new node, which reuses the memory of an earlier document's node.
func (r *Reader) node(line int) *Node {
	if r.used == len(r.nodes) {
		r.nodes, r.used = make([]Node, len(r.nodes)+r.first), 0
	}
	n := &r.nodes[r.used]
	r.used++
	*n = Node{Line: line, Items: n.Items[:0], Fields: n.Fields[:0]}
	return n
}

// value reads one value. It returns nil after a mistake.
func (p *jsonParser) value() *Node {
	c := p.Peek()
	node := p.nodes.node(p.line)
	ok := true
	switch {
	case c == '{':
		node.Kind = Object
		ok = p.object(node)
	case c == '[':
		node.Kind = List
		ok = p.list(node)
	case c == '"':
		node.Kind = String
		node.Text, ok = p.str()
	case startsNumber(c):
		node.Kind = Number
		start := p.pos
		ok = p.number()
		node.Text = p.text[start:p.pos]
	default:
		switch node.Text = p.literal(); node.Text {
		case "true", "false":
			node.Kind = Bool
		case "null":
			node.Text = ""
		default:
			ok = false
		}
	}
	if !ok {
		return nil
	}
	return node
}

func (p *jsonParser) list(node *Node) bool {
	return p.List(func() bool {
		item := p.value()
		node.Items = append(node.Items, item)
		return item != nil
	})
}

func (p *jsonParser) object(node *Node) bool {
	return p.Object(func(name string) bool {
		line := p.nameLine
		value := p.value()
		if value != nil && !node.Add(name, line, value) {
			p.problems.Add(DuplicateKey(p.file, line, name))
		}
		return value != nil
	})
}
