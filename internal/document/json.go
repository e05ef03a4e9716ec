package document

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseJSON reads one JSON document. It skips a byte order mark at the beginning. At a syntax error, it stops and
// returns no node. Duplicate keys are problems, too. But in that case ParseJSON returns the node, so a Decoder can find
// further problems.
func ParseJSON(file string, text []byte) (*Node, Problems) {
	if len(text) > MaxSize {
		return nil, Problems{TooLarge(file)}
	}
	if !utf8.Valid(text) {
		return nil, Problems{{File: file, Message: "is not valid UTF-8", Remedy: "save the file as UTF-8"}}
	}
	p := &jsonParser{
		Scanner: ScanString(strings.TrimPrefix(string(text), "\ufeff"), MaxDepth), file: file,
		// Estimate the number of nodes: in a text, each node takes about perNode bytes.
		nodes: make([]Node, 0, min(len(text)/perNode+1, manyNodes)),
	}
	node := p.value()
	if node != nil && p.End() {
		return node, p.problems
	}
	e := p.Err()
	return nil, append(p.problems, Problem{File: file, Line: e.Line, Message: e.Message, Remedy: e.Remedy})
}

// TooLarge returns the problem for a text that is larger than MaxSize.
func TooLarge(file string) Problem {
	return Problem{
		File: file, Message: "is larger than " + strconv.Itoa(MaxSize>>20) + " MiB",
		Remedy: "split it into several files",
	}
}

// TooDeep returns the problem for a document that is nested deeper than MaxDepth.
func TooDeep(file string, line int) Problem {
	return Problem{
		File: file, Line: line, Message: "nests deeper than " + strconv.Itoa(MaxDepth) + " levels",
		Remedy: "flatten it",
	}
}

// DuplicateKey returns the problem for a key that occurs twice in an object.
func DuplicateKey(file string, line int, name string) Problem {
	return Problem{
		File: file, Line: line, Message: "duplicate key " + Excerpt(name),
		Remedy: "keep one of the two",
	}
}

// jsonParser builds the tree. encoding/json is not used, because that package can take seconds for a hostile text and
// does not report lines.
type jsonParser struct {
	Scanner
	file     string
	problems Problems
	// The field "nodes" is a block of allocated memory. The unused part of the block is for the next nodes.
	nodes []Node
}

const (
	perNode = 12
	// manyNodes is the largest number of nodes that are allocated in one block.
	manyNodes = 512
)

func (p *jsonParser) node() *Node {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = make([]Node, 0, min(2*cap(p.nodes), manyNodes))
	}
	p.nodes = append(p.nodes, Node{Line: p.line})
	return &p.nodes[len(p.nodes)-1]
}

// value() reads one value. It returns nil if there is a mistake.
func (p *jsonParser) value() *Node {
	c := p.Peek()
	node := p.node()
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
