package elastic

import (
	"crypto/tls"
	"crypto/x509"
	"errors"

	"guardrails/store"
)

// unasked is why a server could not be asked.
func (c *client) unasked(err error) error {
	untrusted := new(tls.CertificateVerificationError)
	switch plain := (tls.RecordHeaderError{}); {
	case errors.As(err, &untrusted):
		return store.Errorf(store.Unavailable, "the certificate of %s is not trusted; %s: %w", c.place, trust(untrusted.Err), err)
	case errors.As(err, &plain):
		return store.Errorf(store.Unavailable, "%s speaks no TLS; begin its address with http, or let it speak TLS: %w", c.place, err)
	default:
		return &passing{err}
	}
}

// trust is what to do where a certificate is not trusted.
func trust(why error) string {
	invalid, other := x509.CertificateInvalidError{}, x509.HostnameError{}
	switch {
	case errors.As(why, &other):
		return "use the name that it was made for"
	case errors.As(why, &invalid) && invalid.Reason == x509.Expired:
		return "renew it, or put the clock right"
	default:
		return "give the CA that signed it"
	}
}
