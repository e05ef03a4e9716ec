package reach

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// The media types that an answer may have.
const (
	typeJSON   = "application/json"
	typeStream = "text/event-stream"
)

const (
	maxHead      = 8 << 10
	maxChunkLine = 256
	maxRefusal   = 4 << 10
	okay         = "200"
)

// answerReader reads an HTTP/1.1 answer.
type answerReader struct {
	in *bufio.Reader
	// room is how many more bytes the lines may have.
	room int
	// begun reports whether anything of the answer has been read.
	begun bool
}

// readAnswer reads a whole answer and returns its media type and its body.
func readAnswer(from io.Reader, limit int, stream bool) (kind string, body []byte, err error) {
	r := answerReader{in: bufio.NewReaderSize(from, maxHead), room: maxHead}
	h, err := r.head()
	if err != nil {
		return "", nil, err
	}
	if h.code != okay {
		return "", nil, r.refused(h)
	}
	if h.kind != typeJSON && (!stream || h.kind != typeStream) {
		return "", nil, badHTTP("the answer's Content-Type is " + quoted([]byte(h.kind)) + ", not " + typeJSON)
	}
	body, err = r.body(h, limit)
	if err == nil && r.in.Buffered() > 0 {
		err = badHTTP("the answer is longer than its announced length")
	}
	if err != nil {
		return "", nil, err
	}
	return h.kind, body, nil
}

// refused returns the error for a status other than 200, with the answer's text.
func (r *answerReader) refused(h head) error {
	why := "the server answered " + h.status
	if body, err := r.body(h, maxRefusal); err == nil && len(body) > 0 {
		why += ": " + plain(body)
	}
	return &Failure{StageAnswer, why}
}

// line reads one line and removes its end.
func (r *answerReader) line(what string) ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	r.begun = r.begun || len(line) > 0
	if errors.Is(err, bufio.ErrBufferFull) || len(line) > r.room {
		return nil, badHTTP("the " + what + " are too long")
	}
	if err != nil {
		return nil, r.broken(err, what)
	}
	r.room -= len(line)
	line, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok {
		return nil, badHTTP("the " + what + " have a line that does not end in CR LF")
	}
	return line, nil
}

// broken returns the error for an answer that stops in the middle.
func (r *answerReader) broken(err error, what string) error {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	if !r.begun {
		return &Failure{StageReceive, "the server closed the connection without an answer"}
	}
	return &Failure{StageReceive, "the server closed the connection in the middle of the " + what}
}

func badHTTP(why string) *Failure { return &Failure{StageHTTP, why} }
