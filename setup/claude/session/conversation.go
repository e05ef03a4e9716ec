package session

import (
	"bytes"
	"encoding/json"
	"io"
)

// The type "conversation" collects the output of a client. If the client reads its prompts from stdin, the conversation
// sends the first prompt, and another prompt after each answer.
type conversation struct {
	output bytes.Buffer
	// The field "line" is the beginning of a line whose end has not arrived yet.
	line []byte
	// The field "stdin" is nil if the client has its prompt already.
	stdin   io.WriteCloser
	prompts []string
}

// Write receives a part of the client's output.
func (d *conversation) Write(part []byte) (int, error) {
	d.output.Write(part)
	d.line = append(d.line, part...)
	for {
		line, rest, complete := bytes.Cut(d.line, []byte{'\n'})
		if !complete {
			return len(part), nil
		}
		if endsTurn(line) {
			d.next()
		}
		d.line = rest
	}
}

// endsTurn reports whether a line of the client's output is the result of a turn.
func endsTurn(text []byte) bool {
	var l line
	return json.Unmarshal(text, &l) == nil && l.Type == "result"
}

// next() sends the following prompt. After the last prompt, it closes stdin, so the client ends. If the client has
// already ended, nobody reads the prompt, and the client's exit code says why.
func (d *conversation) next() {
	if d.stdin == nil {
		return
	}
	if len(d.prompts) == 0 {
		_ = d.stdin.Close()
		return
	}
	text, err := json.Marshal(map[string]any{
		"type": "user", "message": map[string]any{"role": "user", "content": d.prompts[0]},
	})
	d.prompts = d.prompts[1:]
	if err == nil {
		_, _ = d.stdin.Write(append(text, '\n'))
	}
}
