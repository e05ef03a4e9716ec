package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
)

// The type "balancer" sends requests to the servers in turn. If a server refuses the connection, another server gets
// the request.
type balancer struct {
	url     string
	servers []*url.URL
	next    atomic.Int64
	server  *http.Server
}

// newBalancer starts a load balancer on a free port.
func newBalancer(servers []*url.URL) (*balancer, error) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &balancer{url: "http://" + on.Addr().String(), servers: servers}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(b.servers[int(b.next.Add(1))%len(b.servers)])
		},
		Transport: &http.Transport{DialContext: b.dial, MaxIdleConnsPerHost: 100},
	}
	b.server = &http.Server{Handler: inMemory(proxy)} //nolint:gosec // only the simulation sends requests
	go func() { _ = b.server.Serve(on) }()            // ends when the server is closed
	return b, nil
}

// inMemory returns a handler that reads the whole body of a request before it calls the handler "inner". Otherwise,
// Go's proxy breaks the connection if a server answers before the proxy has noticed that the body is complete.
func inMemory(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return // the machine has closed the connection
		}
		r.Body = io.NopCloser(bytes.NewReader(text))
		inner.ServeHTTP(w, r)
	})
}

// dial() connects to a server. If the server refuses the connection, dial() tries the other servers.
func (b *balancer) dial(ctx context.Context, network, address string) (c net.Conn, err error) {
	var d net.Dialer
	if c, err = d.DialContext(ctx, network, address); err == nil {
		return c, nil
	}
	for _, other := range b.servers {
		if c, err = d.DialContext(ctx, network, other.Host); err == nil {
			return c, nil
		}
	}
	return nil, err
}
