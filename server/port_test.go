package server_test

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"guardrails/server"
)

func TestConnectionsWithoutATokenAreClosed(t *testing.T) {
	s := newFixture(t)
	address, token, _ := s.servePort(s.server())
	for _, c := range []struct {
		path, token, host string
		closes            bool
	}{
		{"/healthz", "", "", true},
		{"/readyz", "", "", true},
		{"/metrics", "", "", true},
		{"/metrics", token, "evil.example", true},
		{"/metrics", token, "", false},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+c.path, http.NoBody)
		check(t, err)
		r.Host = c.host
		r.Header.Set("Authorization", "Bearer "+c.token)
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		response, err := (&http.Client{Transport: transport}).Do(r)
		check(t, err)
		check(t, response.Body.Close())
		if response.Close != c.closes {
			t.Errorf("%s with host %s: %d, closes %v", c.path, c.host, response.StatusCode, response.Close)
		}
	}
}

const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func request(t *testing.T, method, url, body string, headers map[string]string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	check(t, err)
	r.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	if host := headers["Host"]; host != "" {
		r.Host = host
	}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	check(t, err)
	defer func() { check(t, response.Body.Close()) }()
	return response.StatusCode, readAll(t, response.Body)
}

func TestThePortRequiresATokenAndAKnownHost(t *testing.T) {
	s := newFixture(t)
	address, token, _ := s.servePort(s.server())
	port := address[strings.LastIndex(address, ":"):]
	good := "Bearer " + token
	for _, c := range []struct {
		name    string
		headers map[string]string
		want    int
	}{
		{"the token", map[string]string{"Authorization": good}, 200},
		{"the token as a key", map[string]string{"X-API-Key": token}, 200},
		{"the token with a scheme in lower case", map[string]string{"Authorization": "bearer " + token}, 200},
		{"no token", nil, 401},
		{"an unknown token", map[string]string{"Authorization": "Bearer " + strings.Repeat("x", 32)}, 401},
		{"part of the token", map[string]string{"Authorization": good[:20]}, 401},
		{"a revoked token", map[string]string{"Authorization": "Bearer " + s.revokedToken()}, 401},
		{"an empty token", map[string]string{"Authorization": "Bearer "}, 401},
		{"another authentication scheme", map[string]string{"Authorization": "Basic " + token}, 401},
		{"host localhost", map[string]string{"Authorization": good, "Host": "LOCALHOST" + port}, 200},
		{"a configured host with the port", map[string]string{"Authorization": good, "Host": "proxy.example" + port}, 200},
		{"a configured host", map[string]string{"Authorization": good, "Host": "proxy.example"}, 200},
		{"a page of the configured host", map[string]string{
			"Authorization": good, "Host": "proxy.example",
			"Origin": "https://proxy.example",
		}, 200},
		{"host localhost without the port", map[string]string{"Authorization": good, "Host": "localhost"}, 421},
		{"an unknown host", map[string]string{"Authorization": good, "Host": "evil.example" + port}, 421},
		{"another port", map[string]string{"Authorization": good, "Host": "localhost:1"}, 421},
		{"a page of the server itself", map[string]string{"Authorization": good, "Origin": "http://" + address}, 200},
		{"a page of another origin", map[string]string{"Authorization": good, "Origin": "http://evil.example"}, 403},
		{"a page from a file", map[string]string{"Authorization": good, "Origin": "null"}, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, body := request(t, http.MethodPost, "http://"+address+"/mcp", list, c.headers); got != c.want {
				t.Errorf("got %d, want %d: %s", got, c.want, body)
			}
		})
	}
}

func TestHealthNeedsNoTokenButRefusesWebPages(t *testing.T) {
	s := newFixture(t)
	address, token, _ := s.servePort(s.server())
	for path, want := range map[string]string{
		"/healthz": `{"status":"ok","version":"1.2.3"}`,
		"/readyz":  `{"status":"ready","version":"1.2.3","source":"files"}`,
	} {
		if code, body := request(t, http.MethodGet, "http://"+address+path, "", nil); code != 200 ||
			strings.TrimSpace(body) != want {
			t.Errorf("%s: %d %s", path, code, body)
		}
		if code, _ := request(t, http.MethodGet, "http://"+address+path, "",
			map[string]string{"Origin": "https://evil.example"}); code != 403 {
			t.Errorf("%s for a web page: %d", path, code)
		}
	}
	if code, body := request(t, http.MethodGet, "http://"+address+"/none", "",
		map[string]string{"X-API-Key": token}); code != 404 || !strings.Contains(body, "MCP is at /mcp") {
		t.Errorf("%d %s", code, body)
	}
}

func TestThePortDoesNotAcceptAnEnvironment(t *testing.T) {
	s := newFixture(t)
	address, token, _ := s.servePort(s.server())
	_, body := request(t, http.MethodPost, "http://"+address+"/mcp",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":{"environment":{"GUARDRAILS_SERVER":"{}"}}}}`,
		map[string]string{"X-API-Key": token})
	if !strings.Contains(body, "is not accepted from a caller over the network") {
		t.Errorf("%s", body)
	}
}

func TestLocalHostsHasNoDuplicates(t *testing.T) {
	got := server.LocalHosts(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7117}, "localhost", "proxy.example")
	want := []string{"127.0.0.1:7117", "localhost:7117", "[::1]:7117", "proxy.example:7117", "localhost", "proxy.example"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// endedUntold is a context that is done, but has not yet called the functions that were registered with
// context.AfterFunc.
type endedUntold struct {
	context.Context
	ended chan struct{}
}

func (c endedUntold) Done() <-chan struct{} { return c.ended }

func (c endedUntold) Err() error {
	select {
	case <-c.ended:
		return context.Canceled
	default:
		return nil
	}
}

func (endedUntold) AfterFunc(func()) func() bool { return func() bool { return true } }

// closedAtTheEnd is a port that is closed at the moment when the context ends.
type closedAtTheEnd struct {
	net.Listener
	ctx endedUntold
}

func (l closedAtTheEnd) Accept() (net.Conn, error) {
	close(l.ctx.ended)
	return nil, net.ErrClosed
}

func TestAServerWhosePortIsClosedWhileItEndsEndsWithoutAnError(t *testing.T) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	ctx := endedUntold{t.Context(), make(chan struct{})}
	guard := server.Guard{Hosts: server.LocalHosts(on.Addr())}
	check(t, newFixture(t).server().ServePort(ctx, closedAtTheEnd{on, ctx}, guard))
}
