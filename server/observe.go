package server

import (
	"net/http"
	"strings"
	"time"
)

// The doors, as metrics call them.
const (
	doorPort   = "port"
	doorSocket = "socket"
)

// measured counts every request that comes through a door, by the route that answered it.
func (s *Server) measured(door string, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		seen := &answered{ResponseWriter: w, code: http.StatusOK}
		inner.ServeHTTP(seen, r)
		s.metrics.Request(door, route(r), seen.code, time.Since(began))
	})
}

// route is the pattern that a request matched: what was asked for has no bound, patterns do.
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

// answered is an answer whose status is noted.
type answered struct {
	http.ResponseWriter
	code int
}

// WriteHeader notes the status.
func (a *answered) WriteHeader(code int) {
	a.code = code
	a.ResponseWriter.WriteHeader(code)
}

// Unwrap gives what is below to http.ResponseController.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }
