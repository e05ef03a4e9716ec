package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// How long a connection may take for each of its parts. A question is answered in milliseconds; one that has to ask
// another server first takes two seconds at most.
const (
	headTime  = 5 * time.Second
	readTime  = 15 * time.Second
	writeTime = 30 * time.Second
	idleTime  = time.Minute
	endTime   = 10 * time.Second
	maxHead   = 16 << 10
)

// maxConnections is how many programs may be connected to the port at once; further ones wait.
const maxConnections = 512

// serve answers until the context ends; what was begun then is brought to its end, and what would not end is told to.
func (s *Server) serve(ctx context.Context, on net.Listener, h http.Handler, end ...func()) error {
	web := &http.Server{
		Handler: h, ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHead,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	for _, f := range end {
		web.RegisterOnShutdown(f)
	}
	ended := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		s.ending.Store(true)
		ended <- shutDown(web)
	})
	err := web.Serve(on)
	if stop() {
		return errors.Join(err, web.Close())
	}
	return <-ended
}

// shutDown takes nothing new, and gives what was begun a few seconds.
func shutDown(web *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	if err := web.Shutdown(ctx); err != nil {
		return errors.Join(errors.New("some questions were not answered before the end"), web.Close())
	}
	return nil
}
