package server_test

import (
	"bufio"
	"net"
	"net/http"
	"testing"
	"time"

	"guardrails/server/access"
)

// connect() opens a connection that stays open until the test ends.
func connect(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	check(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestConnectionsWithoutATokenShutOutNobody(t *testing.T) {
	s := newFixture(t)
	address, token, _ := s.servePort(s.server())
	for range 700 {
		connect(t, address)
	}
	began := time.Now()
	if code, body := request(t, http.MethodGet, "http://"+address+"/healthz", "", nil); code != http.StatusOK {
		t.Errorf("health: %d %s", code, body)
	}
	if code, body := request(t, http.MethodPost, "http://"+address+"/mcp", list, map[string]string{"X-API-Key": token}); code != http.StatusOK {
		t.Errorf("a caller with a token: %d %s", code, body)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("the answers took %s", took)
	}
}

// hold() sends a request with a token on a connection that stays open, and returns the status of the answer.
func hold(t *testing.T, address, token string) int {
	t.Helper()
	conn := connect(t, address)
	check(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	_, err := conn.Write([]byte("GET /metrics HTTP/1.1\r\nHost: " + address + "\r\nX-API-Key: " + token + "\r\n\r\n"))
	check(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	check(t, err)
	check(t, answer.Body.Close())
	return answer.StatusCode
}

func TestATokenCannotTakeAllConnections(t *testing.T) {
	s := newFixture(t)
	greedy, modest := s.token(access.Token{Name: "greedy", Role: access.Read}), s.token(access.Token{Name: "modest", Role: access.Read})
	address, _, _ := s.servePort(s.server())
	held := 0
	for hold(t, address, greedy) == http.StatusOK && held < 2000 {
		held++
	}
	if held != 256 {
		t.Errorf("one token holds %d connections", held)
	}
	if got := hold(t, address, modest); got != http.StatusOK {
		t.Errorf("another token: %d", got)
	}
	if code, body := request(t, http.MethodGet, "http://"+address+"/healthz", "", nil); code != http.StatusOK {
		t.Errorf("health: %d %s", code, body)
	}
}
