package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elastic/elastic-transport-go/v8/elastictransport"
	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/internal/breaker"
	"guardrails/store"
)

// Options say how to reach a cluster.
type Options struct {
	// Addresses are the nodes of one cluster, such as http://localhost:9200.
	Addresses []string
	// Username and Password are one way to log in. APIKey is another way.
	Username, Password string
	APIKey             string
	// CA has the certificates that verify the servers, in PEM format. If it is empty, the certificates of the system are
	// used.
	CA []byte
	// Now is the clock. Timeout limits the time of one request.
	Now     func() time.Time
	Timeout time.Duration
}

// New returns a client. It does not connect yet.
func New(o *Options) (*Client, error) {
	addresses, shown, err := parseAddresses(o.Addresses)
	if err != nil {
		return nil, err
	}
	if o.APIKey != "" && o.Username != "" {
		return nil, store.Errorf(store.Invalid, "both an API key and a user name are set for %s; use one of them", shown)
	}
	connections, err := newTransport(o.CA)
	if err != nil {
		return nil, err
	}
	// The transports do not repeat requests, because Client.Do does.
	options := []elastictransport.Option{
		elastictransport.WithTransport(connections), elastictransport.WithDisableRetry(),
	}
	if o.Username != "" {
		options = append(options, elastictransport.WithBasicAuth(o.Username, o.Password))
	}
	if o.APIKey != "" {
		options = append(options, elastictransport.WithAPIKey(o.APIKey))
	}
	to := &nodes{now: o.Now}
	for _, address := range addresses {
		transport, err := elastictransport.NewClient(append(options, elastictransport.WithURLs(address))...)
		if err != nil {
			return nil, store.Errorf(store.Invalid, "cannot create the connection to %s: %w", address.Redacted(), err)
		}
		to.list = append(to.list, &node{transport: transport})
	}
	return &Client{
		transport: to, connections: connections, address: shown, login: loginOf(o, addresses), timeout: o.Timeout,
		breaker: breaker.New(breakAfter, breakFor, o.Now), nodes: len(addresses), slow: time.Second,
	}, nil
}

// parseAddresses parses addresses. The result "shown" is a text for messages, without passwords.
func parseAddresses(list []string) (addresses []*url.URL, shown string, err error) {
	var redacted []string
	for _, text := range list {
		address, err := url.Parse(strings.TrimSuffix(text, "/"))
		if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
			return nil, "", store.Errorf(store.Invalid,
				"an address of Elasticsearch is invalid; use an address like http://localhost:9200")
		}
		addresses, redacted = append(addresses, address), append(redacted, address.Redacted())
	}
	if len(addresses) == 0 {
		return nil, "", store.Errorf(store.Invalid,
			"the address of Elasticsearch is missing; use an address like http://localhost:9200")
	}
	return addresses, strings.Join(redacted, " "), nil
}

// newTransport returns the HTTP transport to the servers.
func newTransport(ca []byte) (*http.Transport, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(ca) > 0 {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(ca) {
			return nil, store.Errorf(
				store.Invalid, "the CA file for Elasticsearch contains no certificate in PEM format; use another file",
			)
		}
	}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: config,
		DialContext:       (&net.Dialer{Timeout: 3 * time.Second}).DialContext,
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 5 * time.Second,
	}, nil
}

// atLeast reports whether a version is at least as new as the oldest allowed version. For example, 8.19.8 is newer than
// 8.0.
func atLeast(version, oldest string) bool {
	have, want := strings.Split(version, "."), strings.Split(oldest, ".")
	for i := range want {
		if i >= len(have) {
			return false
		}
		h, err := strconv.Atoi(have[i])
		w, _ := strconv.Atoi(want[i]) // our own versions are valid
		if err != nil || h != w {
			return err == nil && h > w
		}
	}
	return true
}

// The type "login" is a method of logging in.
type login int

const (
	anonymous login = iota
	withPassword
	withKey
)

// loginOf returns the method of logging in. It follows from the options and from the addresses.
func loginOf(o *Options, addresses []*url.URL) login {
	switch {
	case o.APIKey != "":
		return withKey
	case o.Username != "" || slices.ContainsFunc(addresses, func(u *url.URL) bool { return u.User != nil }):
		return withPassword
	default:
		return anonymous
	}
}

// name() describes the caller in error messages.
func (l login) name() string {
	return [...]string{"anonymous callers", "the user", "the API key"}[l]
}

// refused() returns the end of the error message for a refused login.
func (l login) refused() string {
	return [...]string{
		"requires a login; configure a user name and a password, or an API key",
		"refused the user; check the user name and the password",
		"refused the API key; use a valid one in the encoded form",
	}[l]
}

// serverInfo is the answer of a server to an info request.
type serverInfo struct {
	Version struct {
		Distribution string `json:"distribution"`
		Number       string `json:"number"`
	} `json:"version"`
}

// CheckVersion detects whether the servers are Elasticsearch or OpenSearch, and checks that they are new enough.
func (c *Client) CheckVersion(ctx context.Context) error {
	var info serverInfo
	if err := c.Do(ctx, func() esapi.Request { return esapi.InfoRequest{} }, &info); err != nil {
		return err
	}
	c.openSearch = info.Version.Distribution == "opensearch"
	oldest, product := "8.0", "Elasticsearch"
	if c.openSearch {
		oldest, product = "2.4", "OpenSearch"
	}
	if !atLeast(info.Version.Number, oldest) {
		return store.Errorf(store.Unavailable, "%s is %s %.40q, but at least %s is required; update it",
			c.address, product, info.Version.Number, oldest)
	}
	return nil
}
