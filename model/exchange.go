package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// The constant "pause" is the time before the second try if the service does not say how long to wait.
const pause = 50 * time.Millisecond

// The type "failure" is an error of one try.
type failure struct {
	Error
	// The field "again" is set if a second try can succeed. The field "wait" is the time to wait before this
	// second try.
	again bool
	wait  time.Duration
}

func fail(outcome Outcome, text string) *failure { return &failure{Error: Error{outcome, text}} }

// exchange() sends a question. If the first try fails for a reason that can be temporary, exchange() tries once more,
// unless half of the time limit is already over.
func (c *Client) exchange(ctx context.Context, body []byte, t *Tool) (json.RawMessage, error) {
	key, err := c.o.Key()
	if err != nil {
		return nil, &Error{Refused, "the key cannot be read: " + err.Error()}
	}
	began := time.Now()
	input, f := c.try(ctx, key, body, t)
	if f != nil && f.again && time.Since(began)+f.wait <= c.o.Timeout/2 && c.sleep(ctx, f.wait) && c.take() == nil {
		input, f = c.try(ctx, key, body, t)
	}
	if f != nil {
		return nil, &f.Error
	}
	return input, nil
}

// sleep() waits for a duration. It returns false if the context ends before that.
func (c *Client) sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (c *Client) try(ctx context.Context, key string, body []byte, t *Tool) (json.RawMessage, *failure) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.o.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, fail(Refused, "its address is wrong")
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set(headerAPI, apiVersion)
	if key != "" {
		r.Header.Set(headerKey, key)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, broken(err, true)
	}
	defer func() { _ = response.Body.Close() }() // the body was only read
	if response.StatusCode != http.StatusOK {
		return nil, c.rejected(response)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, broken(err, false)
	case len(text) > maxAnswer:
		return nil, fail(Unreadable, "it is larger than 64 KiB")
	}
	input, err := decode(text, t)
	if err != nil {
		return nil, fail(Unreadable, err.Error())
	}
	return input, nil
}

// broken() returns the failure for an error of the connection: a timeout, or a failed connection. The text of the error
// can contain the address, so broken() does not use this text.
func broken(err error, again bool) *failure {
	var at net.Error
	if errors.As(err, &at) && at.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return fail(Timeout, "no answer came in time")
	}
	f := fail(Unavailable, "the connection failed")
	f.again, f.wait = again, pause
	return f
}

// rejected() returns the failure for an answer whose status is not 200.
func (c *Client) rejected(response *http.Response) *failure {
	code := response.StatusCode
	f := fail(Refused, "the service returns the status "+strconv.Itoa(code))
	switch {
	case code == http.StatusTooManyRequests:
		f.Outcome, f.again = Limited, true
	case code >= http.StatusInternalServerError: // this includes statusBusy
		f.Outcome, f.again = Unavailable, true
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		f.Text += "; check the key"
	}
	f.wait = pause
	if after := response.Header.Get("Retry-After"); after != "" {
		f.wait = waitOf(after, c.o.Now())
	}
	return f
}

// waitOf returns the time that a header Retry-After names. If the header cannot be read, waitOf returns a long time.
func waitOf(after string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(after); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, int(time.Hour/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(after); err == nil {
		return max(0, at.Sub(now))
	}
	return time.Hour
}
