package server

import (
	"net/http"
	"strings"
	"time"
)

// The names of the transports in metrics.
const (
	transportPort   = "port"
	transportSocket = "socket"
)

// measured() returns a handler that passes requests on and counts them by transport and route.
func (s *Server) measured(transport string, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		seen := &statusWriter{ResponseWriter: w, code: http.StatusOK}
		inner.ServeHTTP(seen, r)
		s.metrics.Request(transport, route(r), seen.code, time.Since(began))
	})
}

// route() returns the pattern that matched a request. The path itself would have too many different values for a
// metric.
func route(r *http.Request) string {
	pattern := r.Pattern
	if _, path, found := strings.Cut(pattern, " "); found {
		pattern = path
	}
	if pattern == "" || pattern == "/" {
		return "other"
	}
	return pattern
}

// statusWriter remembers the status code of the answer that is written through it.
type statusWriter struct {
	http.ResponseWriter
	code int
}

// WriteHeader remembers the status.
func (a *statusWriter) WriteHeader(code int) {
	a.code = code
	a.ResponseWriter.WriteHeader(code)
}

// Unwrap returns the wrapped writer for http.ResponseController.
func (a *statusWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }
