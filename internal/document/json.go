package document

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseJSON reads one JSON document; a byte order mark before it is skipped. A syntax error ends the reading; duplicate
// keys are reported together with whatever else a Decoder finds later.
func ParseJSON(file string, text []byte) (*Node, Problems) {
	if len(text) > MaxSize {
		return nil, Problems{TooLarge(file)}
	}
	return new(Reader).Read(file, string(text))
}

// Reader reads one document after the other in the same room, for those who pay for every page of memory.
type Reader struct {
	nodes []Node
	used  int
	// first is how many nodes are made at once, at first.
	first int
}

// Read is ParseJSON for a text that is a string already. The values are parts of it; the nodes hold until the next
// document is read.
func (r *Reader) Read(file, text string) (*Node, Problems) {
	if len(text) > MaxSize {
		return nil, Problems{TooLarge(file)}
	}
	if !utf8.ValidString(text) {
		return nil, Problems{{File: file, Message: "is not valid UTF-8", Remedy: "save the file as UTF-8"}}
	}
	p := &jsonParser{file: file, text: strings.TrimPrefix(text, "\ufeff"), line: 1, room: r}
	r.used, r.first = 0, min(len(text)/perNode+1, fewNodes)
	node, err := p.document()
	if err == nil {
		return node, p.problems
	}
	problem, _ := errors.AsType[Problem](err)
	return nil, append(p.problems, problem)
}

// TooLarge is the problem of a text over MaxSize.
func TooLarge(file string) Problem {
	return Problem{
		File: file, Message: "is larger than " + strconv.Itoa(MaxSize>>20) + " MiB",
		Remedy: "split it into several files",
	}
}

// TooDeep is the problem of a document nested deeper than MaxDepth.
func TooDeep(file string, line int) Problem {
	return Problem{
		File: file, Line: line, Message: "nests deeper than " + strconv.Itoa(MaxDepth) + " levels",
		Remedy: "flatten it",
	}
}

// DuplicateKey is the problem of a key that stands twice in one object.
func DuplicateKey(file string, line int, name string) Problem {
	return Problem{
		File: file, Line: line, Message: "duplicate key " + Excerpt(name),
		Remedy: "keep one of the two",
	}
}

// jsonParser walks the text by hand: the decoder of encoding/json takes seconds for what a hostile client may send, and
// does not say on which line a mistake is.
type jsonParser struct {
	file string
	// text is all of it, of which the values are parts: a copy of each would cost more than reading it.
	text     string
	pos      int
	line     int
	problems Problems
	room     *Reader
}

// A short text has few nodes, each of about perNode bytes; a long one gets fewNodes at first.
const (
	perNode  = 12
	fewNodes = 80
)

// node is a new node. What an earlier document needed for its items and fields is used again.
func (r *Reader) node(line int) *Node {
	if r.used == len(r.nodes) {
		r.nodes, r.used = make([]Node, len(r.nodes)+r.first), 0
	}
	n := &r.nodes[r.used]
	r.used++
	*n = Node{Line: line, Items: n.Items[:0], Fields: n.Fields[:0]}
	return n
}

func (p *jsonParser) document() (*Node, error) {
	node, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.next() != 0 {
		return nil, p.fail("more text follows the document", "keep one document a file")
	}
	return node, nil
}

func (p *jsonParser) value(depth int) (*Node, error) {
	c := p.next()
	node := p.room.node(p.line)
	var err error
	switch {
	case c == '{' || c == '[':
		if depth == MaxDepth {
			return nil, TooDeep(p.file, p.line)
		}
		if p.pos++; c == '{' {
			err = p.object(node, depth)
		} else {
			err = p.list(node, depth)
		}
	case c == '"':
		node.Kind = String
		node.Text, err = p.stringLiteral()
	case c == '-' || c >= '0' && c <= '9':
		node.Kind = Number
		node.Text, err = p.numberLiteral()
	default:
		err = p.word(node)
	}
	return node, err
}

func (p *jsonParser) list(node *Node, depth int) error {
	node.Kind = List
	if p.skip(']') {
		return nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		node.Items = append(node.Items, item)
		if p.skip(']') {
			return nil
		}
		if !p.skip(',') {
			return p.unexpected("a comma or the end of the list")
		}
	}
}

func (p *jsonParser) object(node *Node, depth int) error {
	node.Kind = Object
	if p.skip('}') {
		return nil
	}
	for {
		if err := p.field(node, depth); err != nil {
			return err
		}
		if p.skip('}') {
			return nil
		}
		if !p.skip(',') {
			return p.unexpected("a comma or the end of the object")
		}
	}
}

func (p *jsonParser) field(node *Node, depth int) error {
	if p.next() != '"' {
		return p.unexpected("a key in quotes")
	}
	line := p.line
	name, err := p.stringLiteral()
	if err != nil {
		return err
	}
	if !p.skip(':') {
		return p.unexpected("a colon")
	}
	value, err := p.value(depth + 1)
	if err != nil {
		return err
	}
	if !node.Add(name, line, value) {
		p.problems.Add(DuplicateKey(p.file, line, name))
	}
	return nil
}

// stringLiteral is the text of a string. Escapes are rare: without one it is the part between the quotes.
func (p *jsonParser) stringLiteral() (string, error) {
	start := p.pos
	escaped := false
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			if !escaped {
				return p.text[start+1 : p.pos-1], nil
			}
			s, ok := unescape([]byte(p.text[start+1 : p.pos-1]))
			if !ok {
				return "", p.fail(`has an unknown \ escape in a string`, `write a backslash as \\`)
			}
			return s, nil
		case c == '\\':
			escaped = true
			p.pos++
		case c < 0x20:
			return "", p.fail("has a control character in a string", `close the string or write it as \n, \t or \u00XX`)
		}
	}
	return "", p.cutOff()
}
