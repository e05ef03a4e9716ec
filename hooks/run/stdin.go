package run

import (
	"bytes"
	"errors"
	"io"

	"guardrails/hooks/wire"
	"guardrails/internal/document"
)

// MaxInput is the largest size of the text on stdin, in bytes.
const MaxInput = 64 << 20

var errTooLarge = errors.New("stdin is larger than 64 MiB")

func (p *process) read() (*wire.Event, error) {
	text, err := readAll(p.stdin)
	if err != nil {
		return &wire.Event{Name: p.hook.Event}, err
	}
	e, err := wire.Parse(text)
	if e.Name == "" {
		e.Name = p.hook.Event
	}
	return &e, err
}

// readAll reads stdin until the document is complete or stdin ends. It does not wait for the end, because a client may
// leave stdin open.
func readAll(r io.Reader) ([]byte, error) {
	var object extent
	// Most documents are shorter than 16 KB. The unused part of the memory costs nothing, because it is never
	// written.
	text := make([]byte, 0, 16<<10)
	for {
		n, err := r.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return text, errors.New("stdin cannot be read: " + err.Error())
		case len(text) > MaxInput:
			return nil, errTooLarge
		case object.endsWith(text):
			return text, nil
		case len(text) == cap(text):
			text = append(make([]byte, 0, max(1<<20, 4*cap(text))), text...)
		}
	}
}

// The type "extent" finds the end of a JSON object in a text that arrives piece by piece.
type extent struct {
	at, depth int
	// The field "quoted" is set if the current byte is inside a string. The offset of the current byte is in the field
	// "at", and the offset at which the string begins is in the field "open".
	quoted bool
	open   int
}

// endsWith reports whether the object is complete and nothing follows it in the text.
func (x *extent) endsWith(text []byte) bool {
	last := document.TrimEnd(text, " \t\r\n")
	if len(last) == 0 || last[len(last)-1] != '}' {
		return false
	}
	for x.at < len(last) {
		if x.quoted && !x.unquote(last) {
			return false
		}
		switch last[x.at] {
		case '"':
			x.quoted, x.open = true, x.at+1
		case '{':
			x.depth++
		case '}':
			if x.depth--; x.depth <= 0 {
				return x.at == len(last)-1
			}
		}
		x.at++
	}
	return false
}

// unquote() moves to the first byte after a string. It returns false if the text ends with the string, or inside it.
func (x *extent) unquote(text []byte) bool {
	for x.quoted {
		n := bytes.IndexByte(text[x.at:], '"')
		if n < 0 {
			x.at = len(text)
			return false
		}
		x.at += n + 1
		before := text[x.open : x.at-1]
		slashes := len(before) - len(document.TrimEnd(before, `\`))
		x.quoted = slashes%2 == 1 // the quote belongs to the string
	}
	return x.at < len(text)
}
