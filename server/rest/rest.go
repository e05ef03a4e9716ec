// Package rest is the door for people and tools: guidelines and the audit as resources over HTTP, and what the engine says
// of a task.
//
// Start with routes.go: the table of routes is the one place that says which methods, paths, roles, parameters, bodies and
// answers there are. Requests are read by it, and the document of the API is made of it. call.go is a request on its way
// from there to a handler, problem.go what a caller is told when something is wrong.
package rest

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"guardrails/server/access"
	"guardrails/service"
)

// Options is what the door needs from outside.
type Options struct {
	// Service has the store, and answers what holds for a task.
	Service *service.Service
	// Version is the product's.
	Version string
	Now     func() time.Time
	Log     *slog.Logger
}

// Handler answers requests below /api/. Who asks stands in a request's context; see access.
type Handler struct {
	o        Options
	routes   []route
	document []byte
	// listeners, exports and verifying bound how many long answers are given at once.
	listeners, exports, verifying *gate
	ending                        chan struct{}
	end                           sync.Once
}

// How many long answers are given at once, and how many of them to one caller, so that nobody keeps others out; and how long one of those that wait for events lasts: a caller asks again then,
// and has to show the token again.
const (
	maxListeners, ownListeners = 64, 16
	maxExports, ownExports     = 4, 2
	listenFor                  = 10 * time.Minute
)

// New makes the door.
func New(o Options) *Handler {
	return &Handler{
		o: o, routes: routes(), document: Document(),
		listeners: newGate(maxListeners, ownListeners), exports: newGate(maxExports, ownExports), verifying: newGate(1, 1), ending: make(chan struct{}),
	}
}

// End ends the answers that would not end by themselves. Nothing else is cut short.
func (h *Handler) End() { h.end.Do(func() { close(h.ending) }) }

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	c := &call{h: h, w: w, r: r, caller: access.From(r.Context())}
	if err := c.run(); err != nil {
		c.fail(err)
	}
}
