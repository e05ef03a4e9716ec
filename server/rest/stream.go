package rest

import (
	"errors"
	"net/http"
	"time"
)

// How long one piece of a long answer may take on its way to the caller, and how long a search through everything may
// take before there is one.
const (
	pieceTime  = 30 * time.Second
	searchTime = 10 * time.Minute
)

// patient gives the request more time than others have.
func (c *call) patient() error { return c.until(time.Now().Add(searchTime)) }

// until says when what is written next must have arrived.
func (c *call) until(deadline time.Time) error {
	return supported(http.NewResponseController(c.w).SetWriteDeadline(deadline))
}

// supported passes over that a connection knows no deadlines.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// stream writes a long answer piece by piece. Each piece has its own time, so that a caller who reads gets all of it and
// one who does not is given up.
type stream struct {
	c       *call
	started bool
}

// begin prepares a long answer, which starts with its first piece.
func (c *call) begin(contentType, filename string) *stream {
	c.w.Header().Set("Content-Type", contentType)
	if filename != "" {
		c.w.Header().Set("Content-Disposition", `attachment; filename="`+filename+`"`)
	}
	return &stream{c: c}
}

// Write sends a piece.
func (s *stream) Write(piece []byte) (int, error) {
	if err := s.c.until(time.Now().Add(pieceTime)); err != nil {
		return 0, err
	}
	s.started = true
	return s.c.w.Write(piece)
}

// flush sends what is held back.
func (s *stream) flush() error {
	return supported(http.NewResponseController(s.c.w).Flush())
}

// end ends an answer that may have failed. One that has started is cut off, so that the caller sees that it is not whole.
func (s *stream) end(err error) error {
	if err == nil {
		return nil
	}
	if !s.started {
		s.c.w.Header().Del("Content-Disposition")
		return err
	}
	if s.c.r.Context().Err() == nil {
		s.c.h.o.Log.Error("an answer was cut off", "path", s.c.r.URL.Path, "caller", s.c.caller.Name, "error", err)
	}
	panic(http.ErrAbortHandler)
}
