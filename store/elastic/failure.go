package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"guardrails/store"
)

// refusal is an answer of a server that is not what was asked for.
type refusal struct {
	status int
	// kind and reason are what the server calls it.
	kind, reason string
}

func (r *refusal) Error() string {
	if r.reason == "" {
		return http.StatusText(r.status)
	}
	return r.kind + ": " + r.reason
}

// newRefusal reads the answer. Some refusals pass: then it says so.
func newRefusal(status int, text []byte) error {
	var answer struct {
		Error json.RawMessage `json:"error"`
	}
	// Proxies answer with other things than JSON, and then the status has to do.
	_ = json.Unmarshal(text, &answer)
	r := readRefusal(status, answer.Error)
	if r.passes() {
		return &passing{r}
	}
	return r
}

func readRefusal(status int, text json.RawMessage) *refusal {
	var e struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
		// Login says what is wrong with an API key.
		Login string `json:"additional_unsuccessful_credentials"`
	}
	_ = json.Unmarshal(text, &e) // some are plain texts
	if e.Login != "" {
		e.Reason = e.Login
	}
	return &refusal{status, e.Type, e.Reason}
}

// passes tells whether the refusal may be gone soon. A server that is full says 429 as a busy one does.
func (r *refusal) passes() bool {
	return r.status >= http.StatusInternalServerError || r.status == http.StatusTooManyRequests && !r.isBlock() || r.status == http.StatusRequestTimeout
}

func (r *refusal) isBlock() bool { return r.kind == "cluster_block_exception" }

// isRefusal tells whether a server answered with a status.
func isRefusal(err error, status int) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == status
}

// failure makes every error one of the store's, with what a person can do about it.
func (s *Store) failure(ctx context.Context, err error) error {
	var known *store.Error
	var r *refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil:
		return store.Interrupted(ctx)
	case errors.As(err, &r):
		return s.client.explain(r)
	case isPassing(err):
		return store.Errorf(store.Unavailable, "%s does not answer; look whether it runs: %w", s.client.place, err)
	default:
		return store.Errorf(store.Internal, "%s failed: %w", s.client.place, err)
	}
}

// explain says what a refusal means for the caller.
func (c *client) explain(r *refusal) error {
	code, text := store.Internal, "failed; look into its log"
	switch {
	case r.isBlock():
		code, text = store.ReadOnly, "takes no changes now: its disk is full, or an index may only be read; free some space or look at the settings of the index"
	case r.status == http.StatusUnauthorized:
		code, text = store.Unavailable, c.login.unknown()
	case r.status == http.StatusForbidden:
		code, text = store.Unavailable, "does not allow this to "+c.login.name()+"; give the privilege monitor on the cluster, and read, write and manage on the indices of guardrails"
	case r.status == http.StatusTooManyRequests:
		code, text = store.Unavailable, "has too much to do; try again later"
	case r.status == http.StatusNotFound && r.kind == indexIsMissing:
		code, text = store.Internal, "has lost an index of guardrails; restore a snapshot"
	case r.status == http.StatusNotFound:
		code, text = store.Unavailable, "has forgotten what was being read, because it took too long; begin again"
	case r.passes():
		code, text = store.Unavailable, "cannot answer now; try again later"
	}
	return store.Errorf(code, "%s %s: %w", c.place, text, r)
}

// isKind tells whether a server answered with an error of a kind.
func isKind(err error, kind string) bool {
	var r *refusal
	return errors.As(err, &r) && r.kind == kind
}

// indexIsMissing is what servers call it when there is no such index.
const indexIsMissing = "index_not_found_exception"

// errHalfAnswer is an answer that does not say all that it should.
var errHalfAnswer = errors.New("the answer is not complete")
