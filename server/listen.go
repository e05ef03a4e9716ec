package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// answerTime is how long a request may take. It is shorter than writeTime, so that a request that takes too long gets
// an error as its answer. Otherwise, the connection would be cut off.
const answerTime = 20 * time.Second

// The time limits of a connection.
const (
	headTime  = 5 * time.Second
	readTime  = 15 * time.Second
	writeTime = 30 * time.Second
	idleTime  = time.Minute
	endTime   = 10 * time.Second
	maxHead   = 16 << 10
)

// serve() answers requests until the context is done. It then calls ending() and finishes the running requests. Some
// requests would never end on their own. The functions in the parameter "end" stop these requests.
func (s *Server) serve(ctx context.Context, on net.Listener, h http.Handler, ending func(), end ...func()) error {
	var waiting unasked
	web := &http.Server{
		Handler: h, ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHead, ConnContext: withConnection,
		ConnState: waiting.note,
		ErrorLog:  slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	for _, f := range end {
		web.RegisterOnShutdown(f)
	}
	ended := make(chan error, 1)
	finish := func() {
		ending()
		waiting.end()
		ended <- shutDown(web)
	}
	stop := context.AfterFunc(ctx, finish)
	err := web.Serve(on)
	if stop() {
		if ctx.Err() == nil {
			return errors.Join(err, web.Close())
		}
		finish() // the port was closed before finish() was called at the end of the context
	}
	return <-ended
}

// shutDown accepts no more requests, and gives running requests a few seconds to finish.
func shutDown(web *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	if err := web.Shutdown(ctx); err != nil {
		return errors.Join(errors.New("the server stopped before it answered all requests"), web.Close())
	}
	return nil
}

// The type "unasked" keeps the connections on which no request has arrived. Browsers open such connections in
// advance, and http.Server.Shutdown would wait five seconds for them.
type unasked struct {
	mu    sync.Mutex
	ended bool
	open  map[net.Conn]bool
}

func (u *unasked) note(c net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(u.open, c)
	case u.ended:
		_ = c.Close() // no request has been read from it
	default:
		if u.open == nil {
			u.open = map[net.Conn]bool{}
		}
		u.open[c] = true
	}
}

// end() closes the connections without a request.
func (u *unasked) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ended = true
	for c := range u.open {
		_ = c.Close() // no request has been read from it
	}
}
