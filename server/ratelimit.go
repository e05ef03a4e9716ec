package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"guardrails/server/access"
	"guardrails/server/metrics"
	"guardrails/server/rest"
)

// DefaultChanges is how many changes a caller may make in a second on average, if nothing else is set. The limit stops
// a faulty program that sends changes without waiting for answers. The limit is higher than the number of changes that
// a store can make in a second, so it does not stop a program that waits for answers. The purpose of the limit is not
// to give each caller a fair share of the store. live.Store does that, with a limited number of places for calls.
const DefaultChanges = 2000

// changesAtOnce limits the changes that a caller may make at once. The largest allowed number is the number of changes
// in a second, times changesAtOnce.
const changesAtOnce = 2

type rateLimits struct {
	perSecond int

	mu       sync.Mutex
	byCaller map[access.Caller]*rate.Limiter
}

func newRateLimits(perSecond int) *rateLimits {
	return &rateLimits{perSecond: perSecond, byCaller: map[access.Caller]*rate.Limiter{}}
}

// wait() returns the time that a caller has to wait before the next n changes. It returns 0 if the caller may make them
// now, and rate.InfDuration if so many changes at once are never allowed.
func (p *rateLimits) wait(c access.Caller, n int, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	limit := p.byCaller[c]
	if limit == nil {
		// Callers are never removed from byCaller. The map cannot grow much, because there are only as many callers as
		// tokens.
		limit = rate.NewLimiter(rate.Limit(p.perSecond), changesAtOnce*p.perSecond)
		p.byCaller[c] = limit
	}
	r := limit.ReserveN(now, n)
	delay := r.DelayFrom(now)
	if delay > 0 {
		r.CancelAt(now)
	}
	return delay
}

type rateError struct {
	perSecond int
	wait      time.Duration
}

func (e *rateError) seconds() int { return int(math.Ceil(e.wait.Seconds())) }

func (e *rateError) Error() string {
	return fmt.Sprintf("this token makes more than %d changes a second; try again in %d s", e.perSecond, e.seconds())
}

// checkRate returns an error if the next n changes would exceed the caller's limit.
func (s *Server) checkRate(ctx context.Context, n int) error {
	delay := s.rates.wait(access.From(ctx), n, s.now())
	if delay == 0 {
		return nil
	}
	s.metrics.Refused(metrics.RateLimited)
	if delay == rate.InfDuration {
		return fmt.Errorf("one request may make at most %d changes; send fewer changes in each request", changesAtOnce*s.rates.perSecond)
	}
	return &rateError{s.rates.perSecond, delay}
}

// checkOne returns an error if the next change would exceed the caller's limit.
func (s *Server) checkOne(ctx context.Context) error { return s.checkRate(ctx, 1) }

// limited() returns a handler that refuses a change that would exceed the caller's limit.
func (s *Server) limited(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if changes(r) {
			if wait, err := s.pace(r.Context(), 1); err != nil {
				w.Header().Set("Retry-After", strconv.Itoa(wait))
				rest.Refuse(w, http.StatusTooManyRequests, err.Error())
				return
			}
		}
		inner.ServeHTTP(w, r)
	})
}

// pace() does the same as checkRate. It also returns the number of seconds after which the caller may make the changes,
// or 0 if so many changes at once are never allowed.
func (s *Server) pace(ctx context.Context, n int) (wait int, err error) {
	err = s.checkRate(ctx, n)
	if fast, refused := errors.AsType[*rateError](err); refused {
		wait = fast.seconds()
	}
	return wait, err
}

// changes() reports whether a request to the API changes something. It looks only at the method and the path. Some
// requests that only read use POST, because their content is too long for a path.
func changes(r *http.Request) bool {
	_, last, _ := strings.Cut(r.URL.Path, rest.Base+"/")
	return r.Method != http.MethodGet && r.Method != http.MethodHead &&
		!slices.Contains(rest.ReadsByPost(), last) && !slices.Contains(rest.PacedInside(), last)
}
