// Package cluster sends requests to the servers of an Elasticsearch or OpenSearch cluster. It repeats a request that
// may succeed the next time. Its errors say what a person can do about the problem.
//
// Start with New and Client.Do.
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/internal/breaker"
	"guardrails/store"
)

const (
	// Attempts is the maximum number of times that a request is sent.
	Attempts = 4
	// maxAnswer is the maximum size of an answer in bytes.
	maxAnswer = 256 << 20
	// The constant breakAfter is a number of failures. After so many failures in a row, the client refuses all calls for
	// the duration breakFor.
	breakAfter = 3
	breakFor   = 3 * time.Second
)

// Client sends requests to the servers. If an answer is lost, the Client can send the request again. Sending again is
// safe, because a repeated write has no further effect.
type Client struct {
	transport   esapi.Transport
	connections *http.Transport
	// The text "address" stands for the servers in error messages.
	address string
	login   login
	timeout time.Duration
	breaker *breaker.Breaker
	// The field "nodes" is the number of addresses.
	nodes int
	// The field "slow" is a duration. A request that has had no answer for this duration counts as failed, even if the
	// caller has stopped waiting.
	slow       time.Duration
	openSearch bool
}

// Address returns the text that stands for the servers in error messages.
func (c *Client) Address() string { return c.address }

// Timeout returns how long a request may take.
func (c *Client) Timeout() time.Duration { return c.timeout }

// Nodes returns the number of addresses.
func (c *Client) Nodes() int { return c.nodes }

// IsOpenSearch reports whether the servers are OpenSearch. The result is valid after CheckVersion has returned.
func (c *Client) IsOpenSearch() bool { return c.openSearch }

// Close closes the connections.
func (c *Client) Close() { c.connections.CloseIdleConnections() }

// Do is a method that sends a request and decodes the answer. After a temporary error, it sends the request again.
func (c *Client) Do(ctx context.Context, request func() esapi.Request, into any) error {
	if refusal := c.breaker.Refuse(); refusal != nil {
		return store.Errorf(store.Unavailable, "%s failed to answer %d requests in a row; the next attempt is in %.0f s",
			c.address, refusal.Failures, refusal.Left.Seconds()+0.5)
	}
	started := time.Now()
	err := c.once(ctx, request(), into)
	for attempt := 1; attempt < Attempts && c.mayHelp(ctx, attempt, err); attempt++ {
		err = c.once(ctx, request(), into)
	}
	if ctx.Err() == nil || isLate(ctx) && time.Since(started) >= c.slow {
		c.breaker.Record(!IsTemporary(err))
	}
	return err
}

func isLate(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }

// mayHelp reports whether another attempt can succeed. If so, it pauses before it returns. If nothing listens at the
// address, only another node can answer, so mayHelp does not pause.
func (c *Client) mayHelp(ctx context.Context, attempt int, err error) bool {
	if isUnreachable(err) {
		return attempt < c.nodes && ctx.Err() == nil
	}
	return IsTemporary(err) && Pause(ctx, attempt)
}

// isUnreachable reports whether a request could not be sent, because nothing listens at the address.
func isUnreachable(err error) bool {
	var failed *net.OpError
	return errors.As(err, &failed) && failed.Op == "dial" && !failed.Timeout()
}

func (c *Client) once(ctx context.Context, request esapi.Request, into any) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	answer, err := request.Do(ctx, c.transport)
	if err != nil {
		return c.connectionError(err)
	}
	defer func() { _ = answer.Body.Close() }() // the answer was read, or the connection is not used again
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err != nil {
		return &Temporary{err}
	}
	if len(text) > maxAnswer {
		return store.Errorf(store.Internal, "an answer of %s is larger than %d MiB; request less", c.address, maxAnswer>>20)
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return newRefusal(answer.StatusCode, text)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &Temporary{err}
	}
	return nil
}

// Temporary is an error that may disappear when the request is sent again, perhaps to another node.
type Temporary struct{ Err error }

func (t *Temporary) Error() string { return t.Err.Error() }

func (t *Temporary) Unwrap() error { return t.Err }

// IsTemporary reports whether err may disappear when the request is sent again.
func IsTemporary(err error) bool {
	var t *Temporary
	return errors.As(err, &t)
}

// Pause waits before the next attempt. Each pause is longer than the one before it. Pause returns false if ctx ended
// first.
func Pause(ctx context.Context, attempt int) bool {
	longest := 100 * time.Millisecond << attempt
	return Wait(ctx, longest/2+rand.N(longest/2))
}

// Wait waits for the duration d. It returns false if ctx ended first.
func Wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
