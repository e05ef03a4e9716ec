package mcp

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// throughLibrary passes a message to the library mcp-go. It sends the answer in one piece and sets its length.
func (s *Server) throughLibrary(w http.ResponseWriter, r *http.Request, message []byte) {
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(message))
	b := &buffered{header: w.Header(), status: http.StatusOK}
	s.http.ServeHTTP(b, again)
	if b.status != http.StatusAccepted {
		w.Header().Set("Content-Length", strconv.Itoa(b.body.Len()))
	}
	w.WriteHeader(b.status)
	_, _ = w.Write(b.body.Bytes()) // an error means that the caller has disconnected
}

// The type "buffered" collects an answer. It cannot be flushed, so the library does not try to stream.
type buffered struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the headers of the answer.
func (b *buffered) Header() http.Header { return b.header }

// WriteHeader stores the status.
func (b *buffered) WriteHeader(status int) { b.status = status }

// Write stores a part of the body.
func (b *buffered) Write(part []byte) (int, error) { return b.body.Write(part) }
