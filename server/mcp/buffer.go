package mcp

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// throughLibrary lets the library answer, and sends the answer in one piece with its length.
func (s *Server) throughLibrary(w http.ResponseWriter, r *http.Request, message []byte) {
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(message))
	b := &buffered{header: w.Header(), status: http.StatusOK}
	s.http.ServeHTTP(b, again)
	if b.status != http.StatusAccepted {
		w.Header().Set("Content-Length", strconv.Itoa(b.body.Len()))
	}
	w.WriteHeader(b.status)
	_, _ = w.Write(b.body.Bytes()) // whoever asked has gone
}

// buffered collects an answer. That it cannot be flushed tells the library that nothing can be streamed.
type buffered struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is that of the answer.
func (b *buffered) Header() http.Header { return b.header }

// WriteHeader keeps the status.
func (b *buffered) WriteHeader(status int) { b.status = status }

// Write keeps a part of the body.
func (b *buffered) Write(part []byte) (int, error) { return b.body.Write(part) }
