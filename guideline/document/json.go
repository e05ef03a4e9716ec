package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// ParseJSON reads one JSON document. A syntax error ends the reading and is the only problem; duplicate keys are
// reported together with whatever else a Decoder finds later.
func ParseJSON(file string, text []byte) (*Node, Problems) {
	if len(text) > MaxSize {
		return nil, Problems{TooLarge(file)}
	}
	if !utf8.Valid(text) {
		return nil, Problems{{File: file, Message: "is not valid UTF-8", Remedy: "save the file as UTF-8"}}
	}
	p := &jsonParser{file: file, text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	p.dec.UseNumber()
	node, err := p.value(0)
	if err == nil {
		_, err = p.dec.Token()
		if errors.Is(err, io.EOF) {
			return node, p.problems
		}
		if err == nil {
			err = errors.New("more text follows the document; keep one document a file")
		}
	}
	return nil, append(p.problems, p.syntax(err))
}

// TooLarge is the problem of a text over MaxSize.
func TooLarge(file string) Problem {
	return Problem{
		File: file, Message: fmt.Sprintf("is larger than %d MiB", MaxSize>>20),
		Remedy: "split it into several files",
	}
}

// TooDeep is the problem of a document nested deeper than MaxDepth.
func TooDeep(file string, line int) Problem {
	return Problem{
		File: file, Line: line, Message: fmt.Sprintf("nests deeper than %d levels", MaxDepth),
		Remedy: "flatten it",
	}
}

type jsonParser struct {
	file     string
	text     []byte
	dec      *json.Decoder
	problems Problems
	// line is the line of offset seen, so that lines are counted once and not from the start each time.
	line, seen int
}

var errTooDeep = errors.New("too deep")

func (p *jsonParser) value(depth int) (*Node, error) {
	token, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	node := &Node{Line: p.lineHere()}
	switch t := token.(type) {
	case json.Delim:
		if depth == MaxDepth {
			return nil, errTooDeep
		}
		if t == '[' {
			err = p.list(node, depth)
		} else {
			err = p.object(node, depth)
		}
	case string:
		node.Kind, node.Text = String, t
	case json.Number:
		node.Kind, node.Text = Number, t.String()
	case bool:
		node.Kind, node.Text = Bool, fmt.Sprint(t)
	}
	return node, err
}

func (p *jsonParser) list(node *Node, depth int) error {
	node.Kind = List
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		node.Items = append(node.Items, item)
	}
	_, err := p.dec.Token()
	return err
}

func (p *jsonParser) object(node *Node, depth int) error {
	node.Kind = Object
	for p.dec.More() {
		token, err := p.dec.Token()
		if err != nil {
			return err
		}
		name, line := token.(string), p.lineHere()
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		if !node.Add(name, line, value) {
			p.problems = append(p.problems, DuplicateKey(p.file, line, name))
		}
	}
	_, err := p.dec.Token()
	return err
}

// DuplicateKey is the problem of a key that stands twice in one object.
func DuplicateKey(file string, line int, name string) Problem {
	return Problem{
		File: file, Line: line, Message: fmt.Sprintf("duplicate key %q", name),
		Remedy: "keep one of the two",
	}
}

func (p *jsonParser) lineHere() int { return p.lineAt(int(p.dec.InputOffset())) }

func (p *jsonParser) lineAt(offset int) int {
	offset = min(offset, len(p.text))
	if offset < p.seen {
		p.line, p.seen = 0, 0
	}
	p.line += bytes.Count(p.text[p.seen:offset], []byte{'\n'})
	p.seen = offset
	return p.line + 1
}

func (p *jsonParser) syntax(err error) Problem {
	offset := int(p.dec.InputOffset())
	if errors.Is(err, errTooDeep) {
		return TooDeep(p.file, p.lineAt(offset))
	}
	var bad *json.SyntaxError
	if errors.As(err, &bad) {
		offset = max(int(bad.Offset)-1, 0)
	}
	message := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		message = "ends in the middle of the document"
	}
	return Problem{File: p.file, Line: p.lineAt(offset), Message: "is not JSON: " + message, Remedy: "mend the syntax here"}
}
