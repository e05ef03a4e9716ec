package reach

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"guardrails/internal/document"
)

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

type answerReader struct {
	in *buffered
	// The field "room" limits how many bytes the remaining header lines may have.
	room int
	// The field "begun" is set after the first byte of the answer has been read.
	begun bool
}

// readAnswer reads a whole answer and returns its media type and its body.
func readAnswer(from io.Reader, limit int, stream bool) (kind string, body []byte, err error) {
	r := answerReader{in: &buffered{from: from}, room: maxHead}
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
	if err == nil && len(r.in.unread) > 0 {
		err = badHTTP("the answer is longer than its announced length")
	}
	if err != nil {
		return "", nil, err
	}
	return h.kind, body, nil
}

// refused() returns the error for a status other than 200. The error includes the text of the answer.
func (r *answerReader) refused(h head) error {
	why := "the server answered " + h.status
	if body, err := r.body(h, maxRefusal); err == nil && len(body) > 0 {
		why += ": " + plain(body)
	}
	return &Failure{StageAnswer, why}
}

// line() reads one line and returns it without its line end.
func (r *answerReader) line(what string) ([]byte, error) {
	line, err := r.in.line()
	r.begun = r.begun || len(line) > 0
	if errors.Is(err, errLongLine) || len(line) > r.room {
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

// broken() returns the error for an answer that ends too early.
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

type head struct {
	// The field "code" is the status code. The field "status" is the code together with the text that follows it.
	code, status string
	kind         string
	typed        bool
	// The field "length" is the length of the body. The field "sized" is set if a header line states this length.
	length  int
	sized   bool
	chunked bool
}

const headLines = "answer's header lines"

func (r *answerReader) head() (head, error) {
	var h head
	line, err := r.line(headLines)
	if err != nil {
		return h, err
	}
	if err := h.setStatus(line); err != nil {
		return h, err
	}
	for {
		line, err := r.line(headLines)
		if err != nil || len(line) == 0 {
			return h, err
		}
		if err := h.setField(line); err != nil {
			return h, err
		}
	}
}

// setStatus reads the first line, for example HTTP/1.1 200 OK.
func (h *head) setStatus(line []byte) error {
	status, ok := bytes.CutPrefix(line, []byte("HTTP/1.1 "))
	if !ok || len(status) < 3 || !digits(status[:3]) || status[0] == '0' || (len(status) > 3 && status[3] != ' ') {
		return badHTTP("this is not an HTTP/1.1 answer: " + quoted(line))
	}
	h.code, h.status = string(status[:3]), plain(status)
	return nil
}

// setField reads one header line. A line that determines how the body is read may occur only once and must have a
// simple value. Otherwise two programs could read the same answer differently.
func (h *head) setField(line []byte) error {
	name, value, err := field(line)
	if err != nil {
		return err
	}
	twice := false
	switch name {
	case "content-length":
		twice, h.sized = h.sized, true
		h.length, err = contentLength(value)
	case "transfer-encoding":
		twice, h.chunked = h.chunked, true
		if !strings.EqualFold(value, "chunked") {
			err = badHTTP("the answer's Transfer-Encoding is " + quoted([]byte(value)) + ", not chunked")
		}
	case "content-type":
		twice, h.typed = h.typed, true
		kind, _, _ := strings.Cut(value, ";")
		h.kind = strings.ToLower(strings.TrimRight(kind, " \t"))
	case "content-encoding":
		err = badHTTP("the answer is encoded: " + quoted([]byte(value)))
	}
	if twice {
		return badHTTP("the answer has the header " + name + " twice")
	}
	return err
}

// field() splits a header line and returns the name in lower case.
func field(line []byte) (name, value string, err error) {
	before, after, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(before) == 0 || bytes.ContainsFunc(before, notInName) {
		return "", "", badHTTP("this is not a header line: " + quoted(line))
	}
	for _, c := range after {
		if (c < ' ' && c != '\t') || c == 0x7f {
			return "", "", badHTTP("the header " + quoted(before) + " has a control character")
		}
	}
	return strings.ToLower(string(before)), string(document.Trim(after)), nil
}

func notInName(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	return !letter && (r < '0' || r > '9') && (r <= ' ' || r >= 0x7f || !strings.ContainsRune("!#$%&'*+-.^_`|~", r))
}

func contentLength(value string) (int, error) {
	const most = 18
	if len(value) == 0 || len(value) > most || !digits([]byte(value)) {
		return 0, badHTTP("the answer's Content-Length is " + quoted([]byte(value)) + ", which is not a length")
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || int64(int(n)) != n {
		return 0, badHTTP("the answer's Content-Length is too large: " + value)
	}
	return int(n), nil
}

func digits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

const bodyText = "answer's body"

func (r *answerReader) body(h head, limit int) ([]byte, error) {
	switch {
	case h.sized && h.chunked:
		return nil, badHTTP("the answer has both a Content-Length and chunks")
	case h.chunked:
		return r.chunks(limit)
	case !h.sized:
		return nil, badHTTP("the answer has neither a Content-Length nor chunks")
	case h.length > limit:
		return nil, tooLong(limit)
	}
	return r.sized(h.length)
}

func tooLong(limit int) error {
	return badHTTP("the answer is longer than the " + strconv.Itoa(limit) + " bytes that are allowed")
}

// sized() reads a body with the length that a header line states. It fails if more bytes have already arrived.
func (r *answerReader) sized(length int) ([]byte, error) {
	body := make([]byte, length+1)
	n := 0
	for n < length {
		more, err := r.in.Read(body[n:])
		n += more
		if err != nil && n < length {
			return nil, r.broken(err, bodyText)
		}
	}
	if n > length {
		return nil, badHTTP("the answer is longer than its Content-Length of " + strconv.Itoa(length))
	}
	return body[:length], nil
}

// chunks() reads a body that consists of chunks. A line before each chunk says how long it is.
func (r *answerReader) chunks(limit int) ([]byte, error) {
	var body []byte
	for {
		size, err := r.chunkSize()
		if err != nil {
			return nil, err
		}
		if size == 0 {
			return body, r.trailers()
		}
		if size > limit-len(body) {
			return nil, tooLong(limit)
		}
		from := len(body)
		body = slices.Grow(body, size)[:from+size]
		if _, err := io.ReadFull(r.in, body[from:]); err != nil {
			return nil, r.broken(err, bodyText)
		}
		if end, err := r.chunkLine(); err != nil || len(end) > 0 {
			return nil, orElse(err, "a chunk of the answer is longer than its stated size")
		}
	}
}

func (r *answerReader) chunkLine() ([]byte, error) {
	r.room = maxChunkLine
	return r.line("chunks' header lines")
}

// chunkSize reads the line before a chunk. The line has the length in hexadecimal, and may have a semicolon and
// extensions after it.
func (r *answerReader) chunkSize() (int, error) {
	line, err := r.chunkLine()
	if err != nil {
		return 0, err
	}
	number, _, _ := bytes.Cut(line, []byte(";"))
	number = document.TrimEnd(number, " \t")
	size, err := strconv.ParseUint(string(number), 16, 31)
	if err != nil {
		return 0, badHTTP("a chunk of the answer has no length: " + quoted(line))
	}
	return int(size), nil
}

// trailers() skips the header lines after the last chunk.
func (r *answerReader) trailers() error {
	r.room = maxHead
	for {
		line, err := r.line("answer's trailer lines")
		if err != nil || len(line) == 0 {
			return err
		}
		if _, _, err := field(line); err != nil {
			return err
		}
	}
}

// orElse returns err. If err is nil, it returns a new error with the given reason.
func orElse(err error, why string) error {
	if err != nil {
		return err
	}
	return badHTTP(why)
}
