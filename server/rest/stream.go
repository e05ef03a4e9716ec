package rest

import (
	"errors"
	"net/http"
	"time"

	"guardrails/server/access"
)

const (
	// pieceTime is the time limit for each piece of a long answer.
	pieceTime = 30 * time.Second
	// verifyTime and importTime limit requests that may take longer than usual. The value unlimited is for answers in
	// pieces.
	verifyTime               = 10 * time.Minute
	importTime               = 2 * time.Minute
	unlimited  time.Duration = -1
	// spareTime is how long the server may still write an answer after the time limit of the request.
	spareTime = 10 * time.Second
)

// setDeadline sets the time at which the next write must be finished.
func (c *call) setDeadline(deadline time.Time) error {
	return supported(http.NewResponseController(c.w).SetWriteDeadline(deadline))
}

// supported() returns nil if err only says that the connection does not support deadlines. Otherwise, it returns err.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// The type "stream" writes a long answer in pieces. Each piece has its own time limit, so that even a slow caller
// receives the whole answer.
type stream struct {
	c       *call
	started bool
}

// begin() prepares a long answer. Nothing is sent before the first piece is written.
func (c *call) begin(contentType, filename string) *stream {
	c.w.Header().Set("Content-Type", contentType)
	if filename != "" {
		c.w.Header().Set("Content-Disposition", `attachment; filename="`+filename+`"`)
	}
	return &stream{c: c}
}

var errRevoked = errors.New("the token is no longer valid")

// Write sends a piece. It sends nothing to a caller whose token was revoked in the meantime.
func (s *stream) Write(piece []byte) (int, error) {
	if !access.IsValid(s.c.r.Context()) {
		return 0, errRevoked
	}
	if err := s.c.setDeadline(time.Now().Add(pieceTime)); err != nil {
		return 0, err
	}
	if s.started = true; s.c.firstPiece != nil {
		s.c.firstPiece.Stop()
	}
	return s.c.w.Write(piece)
}

func (s *stream) flush() error {
	return supported(http.NewResponseController(s.c.w).Flush())
}

// end() ends the answer. If err is not nil and a part was already sent, it closes the connection, so that the caller
// notices the failure.
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
