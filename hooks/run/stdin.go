package run

import (
	"errors"
	"io"

	"guardrails/hooks/wire"
)

// MaxInput is the maximum number of bytes that are read from stdin.
const MaxInput = 64 << 20

var errTooLarge = errors.New("stdin is larger than 64 MiB")

// read reads the client's document.
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

func readAll(r io.Reader) ([]byte, error) {
	// Most documents fit. Unused memory is never touched, so it costs nothing.
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
		case len(text) == cap(text):
			text = append(make([]byte, 0, max(1<<20, 4*cap(text))), text...)
		}
	}
}
