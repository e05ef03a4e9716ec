package server_test

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"os"
	"testing"
	"time"
)

// Linux accepts connections from every address that begins with 127.
func TestAComputerWithManyConnectionsLosesItsOwn(t *testing.T) {
	s := newFixture(t)
	address, _, _ := s.servePort(s.server())
	other := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	var modest []net.Conn
	for range 5 { // these connections are the oldest of all
		conn, err := other.DialContext(t.Context(), "tcp", address)
		check(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		modest = append(modest, conn)
	}
	first := connect(t, address)
	for range 700 {
		connect(t, address)
	}
	check(t, first.SetDeadline(time.Now().Add(20*time.Second)))
	if _, err := first.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the oldest connection of the computer with many connections was not closed: %v", err)
	}
	for i, conn := range modest {
		check(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
		_, err := conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: " + address + "\r\n\r\n"))
		check(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("connection %d of the other computer: %v", i, err)
		}
		check(t, answer.Body.Close())
		if answer.StatusCode != http.StatusOK {
			t.Errorf("connection %d of the other computer: %d", i, answer.StatusCode)
		}
	}
}
