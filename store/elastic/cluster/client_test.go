package cluster

import (
	"context"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/internal/breaker"
)

// sender is a transport that fails, and counts the attempts.
type sender struct {
	attempts int
	fail     func(*http.Request) error
}

func (s *sender) Perform(r *http.Request) (*http.Response, error) {
	s.attempts++
	return nil, s.fail(r)
}

func failing(nodes int, fail func(*http.Request) error) (*Client, *sender) {
	s := &sender{fail: fail}
	c := &Client{transport: s, address: "here", timeout: time.Minute, nodes: nodes}
	c.breaker = breaker.New(breakAfter, breakFor, time.Now)
	return c, s
}

func info() esapi.Request { return esapi.InfoRequest{} }

func TestARefusedConnectionIsTriedOnceForEachNode(t *testing.T) {
	for name, cause := range map[string]error{
		"refused":          syscall.ECONNREFUSED,
		"no route":         syscall.EHOSTUNREACH,
		"an unknown name":  &net.DNSError{Err: "no such host", Name: "none", IsNotFound: true},
		"no file to start": syscall.ENOENT,
	} {
		for _, nodes := range []int{1, 3} {
			c, sent := failing(nodes, func(*http.Request) error { return &net.OpError{Op: "dial", Net: "tcp", Err: cause} })
			err := c.Do(t.Context(), info, nil)
			if sent.attempts != nodes || !IsTemporary(err) {
				t.Errorf("%s, %d nodes: %d attempts, %v", name, nodes, sent.attempts, err)
			}
		}
	}
}

func TestALostConnectionIsTriedAgain(t *testing.T) {
	c, sent := failing(1, func(*http.Request) error { return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET} })
	ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
	defer cancel()
	if err := c.Do(ctx, info, nil); sent.attempts < 2 {
		t.Errorf("%d attempts, %v", sent.attempts, err)
	}
}

func TestAServerThatHangsCountsAsDownWhenItsCallersStopWaiting(t *testing.T) {
	hangs := func(r *http.Request) error {
		<-r.Context().Done()
		return r.Context().Err()
	}
	late := func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(t.Context(), time.Millisecond)
	}
	left := func() (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return ctx, cancel
	}
	for name, c := range map[string]struct {
		wait func() (context.Context, context.CancelFunc)
		slow time.Duration
		down bool
	}{
		"after their time":               {late, 0, true},
		"after a shorter time than slow": {late, time.Hour, false},
		"because they left":              {left, 0, false},
	} {
		client, _ := failing(1, hangs)
		client.slow = c.slow
		for range breakAfter {
			ctx, cancel := c.wait()
			_ = client.Do(ctx, info, nil)
			cancel()
		}
		if refusal := client.breaker.Refuse(); (refusal != nil) != c.down {
			t.Errorf("%s: %+v", name, refusal)
		}
	}
}
