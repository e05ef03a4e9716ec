package reach

import (
	"bytes"
	"io"
	"slices"
	"strconv"
)

const bodyText = "answer's body"

// body reads the answer's body.
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

// sized reads a body of the announced length. It fails when more data has already arrived.
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

// chunks reads a body in chunks, each with its length in front.
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
			return nil, orElse(err, "a chunk of the answer is longer than it says")
		}
	}
}

func (r *answerReader) chunkLine() ([]byte, error) {
	r.room = maxChunkLine
	return r.line("chunks' header lines")
}

// chunkSize reads the line in front of a chunk: its length in hexadecimal, and perhaps extensions after a semicolon.
func (r *answerReader) chunkSize() (int, error) {
	line, err := r.chunkLine()
	if err != nil {
		return 0, err
	}
	number, _, _ := bytes.Cut(line, []byte(";"))
	number = bytes.TrimRight(number, " \t")
	size, err := strconv.ParseUint(string(number), 16, 31)
	if err != nil {
		return 0, badHTTP("a chunk of the answer has no length: " + quoted(line))
	}
	return int(size), nil
}

// trailers skips the header lines after the last chunk.
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

// orElse returns the error, or a new one when there is none.
func orElse(err error, why string) error {
	if err != nil {
		return err
	}
	return badHTTP(why)
}
