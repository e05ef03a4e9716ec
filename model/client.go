package model

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"guardrails/internal/breaker"
)

// Options configures a Client.
type Options struct {
	// URL is the address of the service, without a path of the API. Name is the name of the model.
	URL, Name string
	// The function Key returns the key for the service. It is called for each question.
	Key func() (string, error)
	// Timeout limits the total time of a question, including its second try.
	Timeout time.Duration
	// The function Take counts a call of the service. It returns an error if the limit of this hour is reached.
	Take func() error
	// The function Mask returns a text in which other characters replace the secrets.
	Mask func(string) string
	Now  func() time.Time
	// Meter may be nil.
	Meter Meter
}

// The limits of a client.
const (
	connectTimeout = 500 * time.Millisecond
	atOnce         = 4
	// After mostFailures failed questions in a row, the client sends no question for the duration restTime.
	mostFailures = 5
	restTime     = 30 * time.Second
)

// Client asks one model. It is safe for concurrent use.
type Client struct {
	o       Options
	http    *http.Client
	caches  map[Use]*cache
	breaker *breaker.Breaker
	slots   chan struct{}
	flights singleflight.Group
}

// New returns a client.
func New(o Options) *Client {
	o.URL = strings.TrimSuffix(o.URL, "/")
	dialer := net.Dialer{Timeout: connectTimeout}
	// The client uses no proxy, because a project could choose the proxy with environment variables.
	transport := &http.Transport{
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: o.Timeout,
		MaxIdleConnsPerHost: atOnce, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: maxHeaders,
	}
	c := &Client{
		o: o, caches: map[Use]*cache{}, slots: make(chan struct{}, atOnce),
		breaker: breaker.New(mostFailures, restTime, o.Now),
	}
	c.http = &http.Client{
		Transport: transport,
		// A redirect could send the key and the question to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, use := range Uses() {
		c.caches[use] = &cache{now: o.Now}
	}
	return c
}

// Close closes the connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Ask asks the model. If ctx ends before there is an answer, the question continues until the client's own timeout. A
// later call with the same question can then find the answer in the cache. The error has the type *Error, or is the
// error of ctx.
func (c *Client) Ask(ctx context.Context, q Question) (Answer, error) {
	key := c.keyOf(&q)
	input, hit := c.caches[q.Use].get(key)
	if c.o.Meter != nil {
		c.o.Meter.ModelCached(string(q.Use), hit)
	}
	if hit {
		return Answer{Input: input, IsCached: true}, nil
	}
	done := c.flights.DoChan(string(key[:]), func() (any, error) {
		input, err := c.measured(&q)
		if err == nil {
			c.caches[q.Use].put(key, input)
		}
		return input, err
	})
	select {
	case r := <-done:
		if r.Err != nil {
			return Answer{}, r.Err
		}
		return Answer{Input: r.Val.(json.RawMessage)}, nil
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// keyOf returns the key of a question in the cache. Questions have the same key if they are equal.
func (c *Client) keyOf(q *Question) [sha256.Size]byte {
	text, _ := json.Marshal([]any{c.o.URL, c.o.Name, q}) // this cannot fail: q has only texts, numbers and flags
	return sha256.Sum256(text)
}

func (c *Client) measured(q *Question) (json.RawMessage, error) {
	began := time.Now()
	input, err := c.ask(q)
	if c.o.Meter != nil {
		c.o.Meter.ModelAsked(string(q.Use), string(OutcomeOf(err)), time.Since(began))
	}
	return input, err
}

// ask() sends a question if the breaker and the limits allow it.
func (c *Client) ask(q *Question) (json.RawMessage, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	default:
		return nil, &Error{Limited, "too many questions wait for an answer"}
	}
	if c.breaker.Refuse() != nil {
		return nil, &Error{
			Unavailable, "it failed several times in a row, so guardrails asks it again only after half a minute",
		}
	}
	if err := c.take(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(context.Background(), c.o.Timeout)
	defer stop()
	body, err := encode(c.o.Name, q, prepared(q.Text, c.o.Mask))
	if err != nil {
		return nil, &Error{Refused, wrongRequest}
	}
	input, err := c.exchange(ctx, body, &q.Tool)
	c.breaker.Record(err == nil)
	return input, err
}

// take() counts a call, and returns an error if there were too many.
func (c *Client) take() error {
	if err := c.o.Take(); err != nil {
		return &Error{Limited, err.Error()}
	}
	return nil
}
