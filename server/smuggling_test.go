package server_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// If a proxy in front of the server reads the headers differently, it may see one request where the server sees two.
// The proxy would then not check the second request. So the server refuses a request whose length is not clear, and
// reads nothing after it.
func TestNothingIsReadAfterARequestWhoseLengthIsNotClear(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	inner := "GET /api/guardrails HTTP/1.1\r\nHost: " + address + "\r\nX-API-Key: " + token + "\r\n\r\n"
	for name, headers := range map[string]string{
		"two lengths":                    "Content-Length: 2\r\nContent-Length: 80\r\n",
		"a list of lengths":              "Content-Length: 2, 80\r\n",
		"a length with a sign":           "Content-Length: +2\r\n",
		"a negative length":              "Content-Length: -2\r\n",
		"a hexadecimal length":           "Content-Length: 0x2\r\n",
		"a space before the colon":       "Content-Length : 2\r\n",
		"an unknown encoding":            "Transfer-Encoding: xchunked\r\n",
		"two encodings":                  "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
		"a list of encodings":            "Transfer-Encoding: identity, chunked\r\n",
		"an encoding and a length":       "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
		"a control character in a name":  "Content\x01-Length: 2\r\n",
		"a control character in a value": "X-Name: a\x00b\r\n",
		"two hosts":                      "Host: evil.example\r\n",
	} {
		for _, body := range []string{"{}", "0\r\n\r\n"} {
			t.Run(name, func(t *testing.T) {
				c, err := net.Dial("tcp", address)
				check(t, err)
				defer c.Close()
				check(t, c.SetDeadline(time.Now().Add(time.Minute)))
				_, err = io.WriteString(c, "POST /mcp HTTP/1.1\r\nHost: "+address+"\r\nX-API-Key: "+token+"\r\n"+
					"Content-Type: application/json\r\n"+headers+"\r\n"+body+inner)
				check(t, err)
				got, _ := io.ReadAll(c) // the server may reset the connection, because it has not read everything
				if text := string(got); strings.Count(text, "HTTP/1.1 ") > 1 || strings.HasPrefix(text, "HTTP/1.1 2") {
					t.Errorf("got %s", text)
				}
			})
		}
	}
}
