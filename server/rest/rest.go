// Package rest is the transport for people and tools. It serves guidelines and the audit as resources over HTTP, and
// evaluates tasks.
//
// Start with routes.go. Its table defines all methods, paths, roles, parameters, bodies and answers. The handler checks
// requests against the table, and the OpenAPI document is generated from it. call.go passes a request to the function
// of its route, and problem.go describes failures.
package rest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"guardrails/server/access"
	"guardrails/server/limit"
	"guardrails/service"
	"guardrails/webhook/registry"
)

// Options configures a Handler.
type Options struct {
	// Service has the store and evaluates tasks.
	Service *service.Service
	// Version is the version of the product.
	Version string
	Now     func() time.Time
	Log     *slog.Logger
	// Sender sends tests and repeated deliveries to webhooks.
	Sender registry.Sender
	// Tenant is the tenant of the server's own project. Only callers of this tenant learn where the store is.
	Tenant string
	// Sessions holds the sessions of browsers. It is nil if the server has no page.
	Sessions *access.Sessions
	// Tokens holds the tokens of the server's callers. It is nil if the server does not manage tokens.
	Tokens *access.Tokens
	// Pace returns an error if a caller makes too many changes. The argument n is the number of changes that the request
	// makes. The result "wait" is the number of seconds after which the caller may make these changes. The number is 0
	// if one request must never make so many changes. The handler calls Pace only for requests to the paths of
	// PacedInside. If Pace is nil, these requests are not limited.
	Pace func(ctx context.Context, n int) (wait int, err error)
	// AnswerTime is how long a request may take if its route has no limit of its own. Zero means no limit.
	AnswerTime time.Duration
	// MaxCounted is the approximate number of entries that a summary or a list of sessions counts before it stops. Zero
	// means 50,000.
	MaxCounted int
}

// Handler answers requests below /api/. The caller is in the context of the request; see package access.
type Handler struct {
	o        Options
	routes   []route
	document []byte
	// Each of these gates limits how many requests of one kind are answered at the same time:
	//
	//   - listeners: streams of events
	//   - exports: exports of guidelines and of the audit
	//   - scans: summaries
	//   - trials: drafts that people try
	//   - replays: replays
	//   - verifying: checks of the audit, for each tenant
	listeners, exports, scans, trials, replays, verifying *limit.Gate

	ending chan struct{}
	end    sync.Once
}

// These constants limit how many long answers are sent at the same time, in total and to each caller. The limits keep
// one caller from blocking the other callers. A stream of events ends after the time listenFor. The caller must then
// reconnect and send the token again.
const (
	maxListeners, ownListeners = 256, 8
	maxExports, ownExports     = 4, 2
	maxVerifications           = 4 // and at most one of each tenant
	maxScans, ownScans         = 8, 4
	maxTrials, ownTrials       = 8, 4
	maxReplays, ownReplays     = 4, 2
	listenFor                  = 10 * time.Minute
)

// New returns a handler.
func New(o Options) *Handler {
	o.MaxCounted = cmp.Or(o.MaxCounted, maxCounted)
	return &Handler{
		o: o, routes: routes(), document: Document(),
		listeners: limit.New(maxListeners, ownListeners), exports: limit.New(maxExports, ownExports), scans: limit.New(maxScans, ownScans),
		trials: limit.New(maxTrials, ownTrials), replays: limit.New(maxReplays, ownReplays), verifying: limit.New(maxVerifications, 1),
		ending: make(chan struct{}),
	}
}

// End ends the streams of events, which would not end by themselves.
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
