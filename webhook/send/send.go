// Package send sends events to endpoints over HTTP. It checks the address of an endpoint when it connects, and follows
// no redirects.
//
// Start with Sender.Try.
package send

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"guardrails/store"
	"guardrails/webhook"
)

// Timeout is how long a try may take.
const Timeout = 5 * time.Second

// maxAnswer is the number of bytes of an answer that are kept. The sender reads maxRead bytes, which is more. The
// sender reads more because it can recognize a secret only if it has read the whole secret.
const (
	maxAnswer  = 1 << 10
	maxRead    = 8 << 10
	maxHeaders = 64 << 10
)

// Sender sends deliveries.
type Sender struct {
	// Version is the version of the product.
	Version string
	// Now returns the current time.
	Now func() time.Time
	// Chance returns a random number from 0 to 1.
	Chance func() float64
	// The function Mask hides secrets in answers.
	Mask func(string) string
	// Timeout is how long a try may take.
	Timeout time.Duration
	// Roots are the certificates that are trusted, and Resolver resolves the names of hosts. If they are nil, the
	// certificates and the resolver of the system are used.
	Roots    *x509.CertPool
	Resolver *net.Resolver
}

// New returns a sender for the given version of the product. mask() hides secrets in answers.
func New(version string, now func() time.Time, mask func(string) string) *Sender {
	return &Sender{Version: version, Now: now, Chance: rand.Float64, Mask: mask, Timeout: Timeout}
}

// Try sends a delivery once. It adds the try to the delivery, and sets the state of the delivery and the time of its
// next try. If ctx ends before there is an answer, the result "ok" is false and the delivery stays as it is.
func (s *Sender) Try(ctx context.Context, e *store.Endpoint, d *store.Delivery) (outcome webhook.Outcome, ok bool) {
	t, wait := s.send(ctx, e, d)
	if t.Status == 0 && ctx.Err() != nil {
		return "", false
	}
	t.Attempt = len(d.Tries) + 1
	outcome = webhook.OutcomeOf(t.Status)
	d.Due, d.State = time.Time{}, store.DeliveryGivenUp
	switch outcome {
	case webhook.Delivered:
		d.State = store.DeliveryDone
	case webhook.Retry:
		if next, again := webhook.Next(t.Attempt, t.At, s.Chance(), wait); again && d.Event != webhook.Test {
			t.Next = next.Truncate(time.Millisecond)
			d.Due, d.State = t.Next, store.DeliveryPending
		}
	}
	d.Tries = append(d.Tries, t)
	return outcome, true
}

// send() sends a delivery once. The result "wait" is how long the endpoint asks to wait before the next try.
func (s *Sender) send(ctx context.Context, e *store.Endpoint, d *store.Delivery) (t store.Try, wait time.Duration) {
	began := time.Now()
	t.At = s.Now().UTC().Truncate(time.Millisecond)
	ctx, stop := context.WithTimeout(ctx, s.Timeout)
	defer stop()
	answer, err := s.post(ctx, e, d)
	t.DurationMS = time.Since(began).Milliseconds()
	if err != nil {
		t.Error = s.hidden(e, s.cause(ctx, err))
		return t, 0
	}
	t.Status, t.Answer = answer.status, beginning(s.hidden(e, answer.text))
	return t, webhook.RetryAfter(answer.retryAfter, s.Now())
}

type answer struct {
	status           int
	retryAfter, text string
}

func (s *Sender) post(ctx context.Context, e *store.Endpoint, d *store.Delivery) (a answer, err error) {
	body := webhook.Write(e.Format, d.Body)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "guardrails/"+s.Version)
	r.Header.Set(webhook.HeaderEvent, d.Event)
	r.Header.Set(webhook.HeaderDelivery, d.ID)
	if signature := webhook.Signatures(e, body, s.Now()); signature != "" {
		r.Header.Set(webhook.HeaderSignature, signature)
	}
	client := s.client(r.URL.Hostname(), e.AllowPrivate)
	defer client.CloseIdleConnections()
	got, err := client.Do(r)
	if err != nil {
		return a, err
	}
	defer func() { _ = got.Body.Close() }() // an error does not matter, because the connection is not used again
	a.status, a.retryAfter = got.StatusCode, got.Header.Get("Retry-After")
	// Only the status is important, so ignore an error if the rest of the answer is lost.
	text, _ := io.ReadAll(io.LimitReader(got.Body, maxRead))
	a.text = strings.ToValidUTF8(string(text), "?")
	return a, nil
}

// client() returns a client for one request. The client has its own connections. If clients shared connections, an
// endpoint could use a connection into a private network that only another endpoint is allowed to use. The client
// ignores the proxy settings in the environment. With a proxy, only the proxy would know the address, so the client
// could not check it.
func (s *Sender) client(host string, private bool) *http.Client {
	dialer := &net.Dialer{Resolver: s.Resolver, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return webhook.CheckAddress(at.Addr(), webhook.IsLoopback(host), private)
	}}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeaders,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: s.Roots},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// cause() returns the reason why a request failed. The result does not contain the URL, because the URL can be a
// secret.
func (s *Sender) cause(ctx context.Context, err error) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "no answer within " + s.Timeout.String()
	}
	if at, ok := errors.AsType[*url.Error](err); ok {
		err = at.Err
	}
	return err.Error()
}

// hidden() removes the secrets of the endpoint from a text that another computer has sent.
func (s *Sender) hidden(e *store.Endpoint, text string) string {
	secrets := []string{e.URL}
	if u, err := url.Parse(e.URL); err == nil && len(u.Path) > 1 {
		secrets = append(secrets, u.RequestURI(), u.Path)
	}
	for _, secret := range e.Secrets {
		secrets = append(secrets, secret.Text)
	}
	var hide []string
	for _, secret := range secrets {
		// Some programs escape slashes in JSON.
		hide = append(hide, secret, "***", strings.ReplaceAll(secret, "/", `\/`), "***")
	}
	text = strings.NewReplacer(hide...).Replace(text)
	if s.Mask != nil {
		text = s.Mask(text)
	}
	return text
}

// beginning() returns the part of an answer that is kept.
func beginning(text string) string {
	if len(text) <= maxAnswer {
		return text
	}
	return strings.ToValidUTF8(text[:maxAnswer], "")
}
