package elastic_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
)

// authority is a certificate authority.
type authority struct {
	t           *testing.T
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t}
	a.certificate, a.key = a.sign(&x509.Certificate{
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	return a
}

// sign() makes a certificate from a template. The authority signs this certificate. If the authority has no certificate
// yet, the result is self-signed.
func (a *authority) sign(template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	by, with := a.certificate, a.key
	if by == nil {
		by, with = template, key
	}
	template.SerialNumber, template.NotBefore = big.NewInt(time.Now().UnixNano()), time.Now().Add(-time.Hour)
	text, err := x509.CreateCertificate(rand.Reader, template, by, &key.PublicKey, with)
	if err != nil {
		a.t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(text)
	if err != nil {
		a.t.Fatal(err)
	}
	return certificate, key
}

// pem() returns the content of a ca_file.
func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

// startProxy starts a TLS proxy for a server. The proxy's certificate is valid for the given address until the given
// time.
func (a *authority) startProxy(s *elastic.Secured, address string, ends time.Time) string {
	a.t.Helper()
	certificate, key := a.sign(&x509.Certificate{NotAfter: ends, IPAddresses: []net.IP{net.ParseIP(address)}})
	p := newProxy(a.t, s.URL)
	p.do = s.Do
	end := httptest.NewUnstartedServer(p)
	end.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate.Raw}, PrivateKey: key}}}
	end.Config.ErrorLog = log.New(io.Discard, "", 0) // the server would log failed handshakes
	end.StartTLS()
	a.t.Cleanup(end.Close)
	return end.URL
}

func TestACertificateMustBeSignedByTheCA(t *testing.T) {
	t.Parallel()
	s, ours, others := elastic.NewSecured(t), newAuthority(t), newAuthority(t)
	const here = "127.0.0.1"
	later := time.Now().Add(time.Hour)
	o := elastic.Options{
		Prefix: s.NewPrefix(), Addresses: []string{ours.startProxy(s, here, later)}, CA: append(others.pem(), ours.pem()...),
	}
	o.APIKey = s.NewKey(s.Documented(o.Prefix)).Encoded
	known := open(t, o)
	defer known.Close()
	if _, err := known.Create(t.Context(), newWrite(), small("one")); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(o *elastic.Options){
		"configure the CA that signed it":                  func(o *elastic.Options) { o.CA = others.pem() },
		"use the name that the certificate was issued for": func(o *elastic.Options) { o.Addresses[0] = ours.startProxy(s, "127.0.0.2", later) },
		"renew it, or correct the clock": func(o *elastic.Options) {
			o.Addresses[0] = ours.startProxy(
				s, here, time.Now().Add(-time.Minute),
			)
		},
		"use an http address": func(o *elastic.Options) {
			o.Addresses[0] = "https" + os.Getenv("GUARDRAILS_TEST_ELASTICSEARCH")[len("http"):]
		},
		"configure the CA that signed it: ": func(o *elastic.Options) { o.CA = nil },
	} {
		stranger := o
		stranger.Addresses = append([]string(nil), o.Addresses...)
		change(&stranger)
		cannotOpen(t, stranger, store.Unavailable, want)
	}
}

// Elasticsearch itself speaks TLS here, without a proxy.
func TestElasticsearchWithItsOwnCertificate(t *testing.T) {
	t.Parallel()
	s := elastic.NewSecured(t)
	o := s.Options(s.NewPrefix())
	o.APIKey = s.NewKey(s.Documented(o.Prefix)).Encoded
	known := open(t, o)
	defer known.Close()
	if _, err := known.Create(t.Context(), newWrite(), small("one")); err != nil {
		t.Error(err)
	}
	checkWhole(t, known, 1)
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "https://"), ":")
	for want, change := range map[string]func(o *elastic.Options){
		"configure the CA that signed it":                  func(o *elastic.Options) { o.CA = newAuthority(t).pem() },
		"use the name that the certificate was issued for": func(o *elastic.Options) { o.Addresses = []string{"https://localhost:" + port} },
		"use an https address":                             func(o *elastic.Options) { o.Addresses = []string{"http://127.0.0.1:" + port} },
	} {
		stranger := o
		change(&stranger)
		cannotOpen(t, stranger, store.Unavailable, want)
	}
}
