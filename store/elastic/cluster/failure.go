package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"guardrails/store"
)

// Refusal is an answer of a server with an error status.
type Refusal struct {
	Status int
	// Kind and Reason are from the server's answer.
	Kind, Reason string
}

func (r *Refusal) Error() string {
	if r.Reason == "" {
		return cmp.Or(r.Kind, http.StatusText(r.Status))
	}
	return r.Kind + ": " + r.Reason
}

// newRefusal returns the error for a refused request. The error is temporary if a repetition of the request may
// succeed.
func newRefusal(status int, text []byte) error {
	var answer struct {
		Error json.RawMessage `json:"error"`
	}
	// The answer of a proxy is not always JSON. In that case, only the status is known.
	_ = json.Unmarshal(text, &answer)
	r := ReadRefusal(status, answer.Error)
	if r.IsTemporary() {
		return &Temporary{r}
	}
	return r
}

// ReadRefusal reads the reason why a server refused something.
func ReadRefusal(status int, text json.RawMessage) *Refusal {
	var e struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
		// Login is the reason why an API key was refused.
		Login string `json:"additional_unsuccessful_credentials"`
	}
	_ = json.Unmarshal(text, &e) // some errors are plain text
	if e.Login != "" {
		e.Reason = e.Login
	}
	return &Refusal{status, e.Type, e.Reason}
}

// IsTemporary reports whether the request may succeed when it is repeated. A server answers 429 when it is busy, but
// also when its disk is full.
func (r *Refusal) IsTemporary() bool {
	return r.Status >= http.StatusInternalServerError || r.Status == http.StatusRequestTimeout ||
		r.Status == http.StatusTooManyRequests && !r.isBlock()
}

func (r *Refusal) isBlock() bool { return r.Kind == "cluster_block_exception" }

// isReadOnly reports whether the servers refused a change because an index is read-only. A cluster without a master
// node also blocks changes. Such a cluster may get a master soon, so it does not count as read-only.
func (r *Refusal) isReadOnly() bool { return r.isBlock() && !r.IsTemporary() }

// isFull reports whether the servers blocked an index because their disk is full.
func (r *Refusal) isFull() bool {
	return r.isBlock() && (strings.Contains(r.Reason, "disk usage") || strings.Contains(r.Reason, "flood-stage"))
}

// IsRefusal reports whether err is a refusal with the given status.
func IsRefusal(err error, status int) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Status == status
}

// Failure converts every error to a *store.Error that tells a person what to do.
func (c *Client) Failure(ctx context.Context, err error) error {
	var known *store.Error
	var r *Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil:
		return store.Interrupted(ctx)
	case errors.As(err, &r):
		return c.explain(r)
	case IsTemporary(err):
		check := "check that it is running"
		if errors.Is(err, io.EOF) && strings.HasPrefix(c.address, "http:") {
			// A server that requires TLS closes a connection that does not use TLS.
			check += "; if it requires TLS, use an https address"
		}
		return store.Errorf(store.Unavailable, "%s does not answer; %s: %w", c.address, check, err)
	default:
		return store.Errorf(store.Internal, "%s failed: %w", c.address, err)
	}
}

// explain() converts a refusal into an error that tells a person what to do.
func (c *Client) explain(r *Refusal) error {
	code, text := store.Internal, "failed; see its log"
	switch {
	case r.isReadOnly():
		code, text = store.ReadOnly, "cannot be changed now: its disk is full or an index is read-only; "+
			"free some space or check the settings of the index"
	case r.Status == http.StatusUnauthorized:
		code, text = store.Unavailable, c.login.refused()
	case r.Status == http.StatusForbidden:
		code, text = store.Unavailable, "does not allow this for "+c.login.name()+"; "+
			`grant it the privilege "monitor" on the cluster, and "read", "write" and "manage" on the indices of guardrails`
	case r.Status == http.StatusTooManyRequests:
		code, text = store.Unavailable, "is overloaded; try again later"
	case r.Status == http.StatusNotFound && r.Kind == IndexMissing:
		return c.gone(r, "no longer has an index that guardrails needs; restore a snapshot")
	case r.Kind == IndexClosed:
		return c.gone(r, "has closed an index of guardrails; open it again")
	case r.Status == http.StatusNotFound:
		code, text = store.Unavailable, "ended the search because it took too long; start again"
	case r.IsTemporary():
		code, text = store.Unavailable, "cannot answer now; try again later"
	}
	failed := store.Errorf(code, "%s %s: %w", c.address, text, r)
	if r.isFull() {
		return failed.CausedBy(store.ErrFull)
	}
	return failed
}

// gone() returns the error for an index that disappeared while it was in use. The store must be opened again, because
// another index may take the place of the missing index.
func (c *Client) gone(r *Refusal, text string) error {
	err := store.Errorf(store.Internal, "%s %s: %v", c.address, text, r)
	err.Err = store.ErrGone
	return err
}

// IsKind reports whether err is a refusal of the given kind.
func IsKind(err error, kind string) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Kind == kind
}

// IndexMissing is the kind of refusal for an index that does not exist.
const IndexMissing = "index_not_found_exception"

// IndexClosed is the kind of refusal for an index that was closed, for example to restore it.
const IndexClosed = "index_closed_exception"

// ErrIncomplete says that a part of an answer is missing.
var ErrIncomplete = errors.New("the answer is incomplete")

// connectionError returns the error for a request that got no answer.
func (c *Client) connectionError(err error) error {
	untrusted := new(tls.CertificateVerificationError)
	switch plain := (tls.RecordHeaderError{}); {
	case errors.As(err, &untrusted):
		return store.Errorf(
			store.Unavailable, "the certificate of %s is not trusted; %s: %w", c.address, trustAdvice(untrusted.Err), err,
		)
	case errors.As(err, &plain):
		return store.Errorf(store.Unavailable,
			"%s does not use TLS; use an http address, or enable TLS on the server: %w", c.address, err)
	default:
		return &Temporary{err}
	}
}

// trustAdvice returns advice about a certificate that is not trusted.
func trustAdvice(why error) string {
	invalid, other := x509.CertificateInvalidError{}, x509.HostnameError{}
	switch {
	case errors.As(why, &other):
		return "use the name that the certificate was issued for"
	case errors.As(why, &invalid) && invalid.Reason == x509.Expired:
		return "renew it, or correct the clock"
	default:
		return "configure the CA that signed it"
	}
}
