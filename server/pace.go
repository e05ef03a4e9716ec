package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"guardrails/server/access"
	"guardrails/server/metrics"
	"guardrails/server/rest"
)

// How many changes a caller may make: so many a second for long, so many at once. People and scripts stay far below; a
// program that has gone wild fills neither the store nor the audit.
const (
	changesPerSecond = 100
	changesAtOnce    = 200
)

// pace keeps each caller to that.
type pace struct {
	mu sync.Mutex
	of map[access.Caller]*rate.Limiter
}

func newPace() *pace { return &pace{of: map[access.Caller]*rate.Limiter{}} }

// wait is how long a caller has to wait with a change; 0 lets it be made.
func (p *pace) wait(c access.Caller, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	limit := p.of[c]
	if limit == nil {
		// There are only as many callers as tokens.
		limit = rate.NewLimiter(changesPerSecond, changesAtOnce)
		p.of[c] = limit
	}
	r := limit.ReserveN(now, 1)
	delay := r.DelayFrom(now)
	if delay > 0 {
		r.CancelAt(now)
	}
	return delay
}

// tooFast is a change that is refused for now.
type tooFast struct{ wait time.Duration }

func (t *tooFast) seconds() int { return int(math.Ceil(t.wait.Seconds())) }

func (t *tooFast) Error() string {
	return fmt.Sprintf("this token makes more than %d changes a second; try again in %d s", changesPerSecond, t.seconds())
}

// paced refuses a change by a caller who makes too many.
func (s *Server) paced(ctx context.Context) error {
	delay := s.pace.wait(access.From(ctx), s.now())
	if delay == 0 {
		return nil
	}
	s.metrics.Refused(metrics.RateLimited)
	return &tooFast{delay}
}

// orderly lets through who does not make too many changes.
func (s *Server) orderly(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if changes(r) {
			if fast, refused := errors.AsType[*tooFast](s.paced(r.Context())); refused {
				w.Header().Set("Retry-After", strconv.Itoa(fast.seconds()))
				rest.Refuse(w, http.StatusTooManyRequests, fast.Error())
				return
			}
		}
		inner.ServeHTTP(w, r)
	})
}

// changes reports whether a request to the API changes something; some questions are too long for a path.
func changes(r *http.Request) bool {
	asks := strings.HasSuffix(r.URL.Path, "/evaluate") || strings.HasSuffix(r.URL.Path, "/explain")
	return r.Method != http.MethodGet && r.Method != http.MethodHead && !asks
}
