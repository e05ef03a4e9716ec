//go:build unix

package server_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/internal/kernelclock"
)

func TestAServerWhoseClockIsSetAheadIsReadyAndNamesTheFault(t *testing.T) {
	var ahead atomic.Int64
	began := time.Now()
	s := newFixture(t)
	s.useStore()
	s.now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	s.kernel = func() (kernelclock.Reading, bool) { return kernelclock.Reading{SinceBoot: time.Since(began)}, true }
	srv := s.server()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { srv.Upkeep(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	address, _, _ := s.servePort(srv)
	for _, c := range []struct {
		set   time.Duration
		fault bool
	}{{3 * time.Hour, true}, {0, false}} {
		ahead.Store(int64(c.set))
		is := func(body string) bool {
			return strings.Contains(body, `"status":"ready"`) && strings.Contains(body, `"fault":"clock"`) == c.fault
		}
		_, body := readiness(t, address)
		for end := time.Now().Add(time.Minute); !is(body) && time.Now().Before(end); _, body = readiness(t, address) {
			<-time.After(50 * time.Millisecond)
		}
		if !is(body) {
			t.Errorf("the clock is ahead by %s: %s", c.set, body)
		}
	}
}

func TestAFaultOfAnotherTenantDoesNotHideThatTheClockIsWrong(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	srv := s.server()
	address, _, _ := s.servePort(srv)
	for _, c := range []struct{ own, other, want string }{
		{"clock", "older", "clock"}, {"", "older", "older"}, {"clock", "", "clock"},
	} {
		srv.SetFaults(c.own, c.other)
		if _, body := readiness(t, address); !strings.Contains(body, `"status":"ready"`) ||
			!strings.Contains(body, `"fault":"`+c.want+`"`) {
			t.Errorf("%+v: %s", c, body)
		}
	}
}
