package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

const (
	// attempts is how often a question is asked before it is given up.
	attempts = 4
	// maxAnswer is how much of an answer is read.
	maxAnswer = 256 << 20
)

// client asks the servers. Every request of this package can be made again after an answer that was lost: what it
// writes has a name of its own or holds for one state only.
type client struct {
	transport esapi.Transport
	wire      *http.Transport
	// place is what messages call the servers.
	place      string
	login      login
	timeout    time.Duration
	breaker    *breaker
	openSearch bool
}

func (c *client) close() { c.wire.CloseIdleConnections() }

// ask makes a request, again if it has to, and reads the answer.
func (c *client) ask(ctx context.Context, request func() esapi.Request, into any) error {
	if err := c.breaker.allow(c.place); err != nil {
		return err
	}
	err := c.once(ctx, request(), into)
	for attempt := 1; attempt < attempts && isPassing(err) && pause(ctx, attempt); attempt++ {
		err = c.once(ctx, request(), into)
	}
	if ctx.Err() == nil {
		c.breaker.note(!isPassing(err))
	}
	return err
}

func (c *client) once(ctx context.Context, request esapi.Request, into any) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	answer, err := request.Do(ctx, c.transport)
	if err != nil {
		return c.unasked(err)
	}
	defer func() { _ = answer.Body.Close() }() // it was read, or the connection is given up
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err != nil {
		return &passing{err}
	}
	if len(text) > maxAnswer {
		return store.Errorf(store.Internal, "an answer of %s is larger than %d MiB; ask for less", c.place, maxAnswer>>20)
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return newRefusal(answer.StatusCode, text)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &passing{err}
	}
	return nil
}

// passing is a failure that may be gone when the question is asked again, perhaps of another node.
type passing struct{ err error }

func (p *passing) Error() string { return p.err.Error() }

func (p *passing) Unwrap() error { return p.err }

func isPassing(err error) bool {
	var p *passing
	return errors.As(err, &p)
}

// pause waits before the next attempt, longer each time, and is false when nobody waits any more.
func pause(ctx context.Context, attempt int) bool {
	longest := 100 * time.Millisecond << attempt
	return wait(ctx, longest/2+rand.N(longest/2))
}

// wait is false when the context ended first.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
