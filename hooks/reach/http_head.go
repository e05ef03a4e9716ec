package reach

import (
	"bytes"
	"strconv"
	"strings"
)

// head is the lines before an answer's body.
type head struct {
	// code is the status code; status has the reason, too.
	code, status string
	kind         string
	typed        bool
	// length is the announced length of the body, if sized is set.
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

// setField reads one header line. A header that determines the end of the body must occur once and be plain, so the
// answer cannot be read in two ways.
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

// field splits a header line and returns the name in lower case.
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
	return strings.ToLower(string(before)), string(bytes.Trim(after, " \t")), nil
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
