package elastic_test

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
)

// guarded() starts a TLS proxy that requires an authorization header.
func guarded(t *testing.T, url, authorization string) (address string, ca []byte) {
	p := newProxy(t, url)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != authorization {
			refuse(401, `{"error":{"type":"security_exception","reason":"unable to authenticate"},"status":401}`)(p, w, r)
			return
		}
		p.passOn(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the server would log failed handshakes
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

func TestTheUserLogsInAndTheServerMustBeTrusted(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for authorization, who := range map[string]elastic.Options{
			"Basic YW5uOnNlY3JldA==": {Username: "ann", Password: "secret"},
			"APIKey aWQ6a2V5":        {APIKey: "aWQ6a2V5"},
		} {
			address, ca := guarded(t, url, authorization)
			who.Addresses, who.CA, who.Prefix = []string{address}, ca, newPrefix(t, url)
			s := open(t, who)
			if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil {
				t.Error(err)
			}
			s.Close()
			stranger := who
			stranger.CA = nil
			cannotOpen(t, stranger, store.Unavailable, "not trusted")
			wrong := elastic.Options{Addresses: who.Addresses, CA: ca, Prefix: who.Prefix, Username: "ann", Password: "wrong"}
			cannotOpen(t, wrong, store.Unavailable, "check the user name and the password")
		}
	})
}

// cannotOpen checks that opening a store fails, and that the error contains the given words but no secret.
func cannotOpen(t *testing.T, o elastic.Options, code store.Code, words ...string) {
	t.Helper()
	s, err := elastic.Open(t.Context(), o)
	if err == nil {
		s.Close()
	}
	for _, part := range words {
		checkError(t, err, code, part)
	}
	for _, secret := range []string{"secret", o.Password, o.APIKey, elastic.Key{Encoded: o.APIKey}.Secret()} {
		if err != nil && secret != "" && strings.Contains(err.Error(), secret) {
			t.Errorf("the message contains a secret: %v", err)
		}
	}
}

func TestInvalidOptionsAreRefused(t *testing.T) {
	here := []string{"http://localhost:1"}
	for words, o := range map[string]elastic.Options{
		"address of Elasticsearch is missing": {},
		"use an address like":                 {Addresses: []string{"localhost:9200"}},
		"the index prefix":                    {Addresses: here, Prefix: "Upper"},
		"starting with":                       {Addresses: here, Prefix: "-x"},
		"use one of them":                     {Addresses: here, Username: "ann", APIKey: "x"},
		"contains no certificate":             {Addresses: here, CA: []byte("none")},
	} {
		cannotOpen(t, o, store.Invalid, words)
	}
}

func TestErrorsDoNotShowThePasswordOfAnAddress(t *testing.T) {
	o := elastic.Options{Addresses: []string{"http://ann:secret@127.0.0.1:1"}}
	cannotOpen(t, o, store.Unavailable, "http://ann:xxxxx@127.0.0.1:1 does not answer")
}

func TestAnotherNodeIsUsedWhenOneIsGone(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		one, two := newProxy(t, url), newProxy(t, url)
		s := open(t, elastic.Options{Addresses: []string{one.URL, two.URL}, Prefix: newPrefix(t, url)})
		defer s.Close()
		for i, id := range []string{"one", "two"} {
			[]*proxy{one, two}[i].set(onEveryRequest(gone))
			[]*proxy{two, one}[i].set(nil)
			if _, err := s.Create(t.Context(), newWrite(), small(id)); err != nil {
				t.Error(err)
			}
		}
		checkWhole(t, s, 2)
	})
}

func TestAnOldServerIsRefused(t *testing.T) {
	for version, words := range map[string]string{
		`"number": "7.17.1"`:                              "at least 8.0 is required",
		`"number": "2.3.0", "distribution": "opensearch"`: "at least 2.4 is required",
		`"number": "new"`:                                 "update it",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(`{"version": {` + version + `}}`))
		}))
		cannotOpen(t, elastic.Options{Addresses: []string{server.URL}}, store.Unavailable, words)
		server.Close()
	}
}

func TestTheTimeOfTheServersIsKnown(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		s := open(t, elastic.Options{Addresses: []string{url}, Prefix: newPrefix(t, url)})
		defer s.Close()
		at, err := s.Time(t.Context())
		if off := time.Since(at).Abs(); err != nil || off > time.Minute {
			t.Errorf("%v off, %v", off, err)
		}
	})
}
