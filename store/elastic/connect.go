package elastic

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/elastic/elastic-transport-go/v8/elastictransport"

	"guardrails/store"
)

// newClient makes the way to the servers; it does not use it yet.
func newClient(o *Options) (*client, error) {
	addresses, place, err := parseAddresses(o.Addresses)
	if err != nil {
		return nil, err
	}
	if o.APIKey != "" && o.Username != "" {
		return nil, store.Errorf(store.Invalid, "both an API key and a user name are given for %s; give one of them", place)
	}
	wire, err := newWire(o.CA)
	if err != nil {
		return nil, err
	}
	// The transport chooses nodes and avoids those that fail; asking again is up to client.ask, which also reads answers.
	options := []elastictransport.Option{elastictransport.WithURLs(addresses...), elastictransport.WithTransport(wire), elastictransport.WithDisableRetry()}
	if o.Username != "" {
		options = append(options, elastictransport.WithBasicAuth(o.Username, o.Password))
	}
	if o.APIKey != "" {
		options = append(options, elastictransport.WithAPIKey(o.APIKey))
	}
	transport, err := elastictransport.NewClient(options...)
	if err != nil {
		return nil, store.Errorf(store.Invalid, "the connection to %s cannot be made: %w", place, err)
	}
	return &client{transport: transport, wire: wire, place: place, login: loginOf(o, addresses), timeout: o.Timeout, breaker: &breaker{now: o.Now}}, nil
}

// parseAddresses reads addresses; place is what messages call them, without a password.
func parseAddresses(list []string) (addresses []*url.URL, place string, err error) {
	var shown []string
	for _, text := range list {
		address, err := url.Parse(strings.TrimSuffix(text, "/"))
		if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
			return nil, "", store.Errorf(store.Invalid, "an address of Elasticsearch is not usable; write it like http://localhost:9200")
		}
		addresses, shown = append(addresses, address), append(shown, address.Redacted())
	}
	if len(addresses) == 0 {
		return nil, "", store.Errorf(store.Invalid, "no address of Elasticsearch is given; give one like http://localhost:9200")
	}
	return addresses, strings.Join(shown, " "), nil
}

// newWire is the connections to the servers.
func newWire(ca []byte) (*http.Transport, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(ca) > 0 {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(ca) {
			return nil, store.Errorf(store.Invalid, "the CA file for Elasticsearch has no certificate in PEM; give another one")
		}
	}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 3 * time.Second}).DialContext, TLSClientConfig: config,
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 5 * time.Second,
	}, nil
}

// atLeast compares the beginnings of versions, such as 8.19.8 and 8.0.
func atLeast(version, oldest string) bool {
	have, want := strings.Split(version, "."), strings.Split(oldest, ".")
	for i := range want {
		if i >= len(have) {
			return false
		}
		h, err := strconv.Atoi(have[i])
		w, _ := strconv.Atoi(want[i]) // ours
		if err != nil || h != w {
			return err == nil && h > w
		}
	}
	return true
}
