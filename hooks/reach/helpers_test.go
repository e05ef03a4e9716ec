//go:build linux || darwin

package reach_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/hooks/reach"
)

// The constant "deadline" is short, because every test in which the server never answers waits for the whole
// deadline. The constant "patience" is long, because a server that answers may be slow on a busy machine.
const (
	deadline = 150 * time.Millisecond
	patience = 20 * time.Second
)

const limit = 8 << 20

// folder() returns a folder with a short path, because the path of a socket must be short.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "reach")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// listen() starts a server on a socket and returns the socket's path. The server passes every connection to the
// handler.
func listen(t testing.TB, handle func(net.Conn)) string {
	t.Helper()
	path := filepath.Join(folder(t), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go handle(c)
		}
	}()
	return path
}

// serveHTTP starts a server from Go's package net/http on a socket and returns the socket's path.
func serveHTTP(t testing.TB, handle http.HandlerFunc) string {
	t.Helper()
	path := filepath.Join(folder(t), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handle}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return path
}

// say() starts a server that reads a request and then sends the given answer.
func say(t testing.TB, answer string) string {
	return listen(t, func(c net.Conn) {
		defer c.Close()
		readRequest(c)
		io.WriteString(c, answer)
	})
}

func readRequest(c net.Conn) {
	var text []byte
	for piece := make([]byte, 64<<10); ; {
		n, err := c.Read(piece)
		text = append(text, piece[:n]...)
		head, body, whole := strings.Cut(string(text), "\r\n\r\n")
		_, after, _ := strings.Cut(head, "Content-Length: ")
		length, _ := strconv.Atoi(strings.TrimSpace(after))
		if err != nil || whole && len(body) >= length {
			return
		}
	}
}

func jsonAnswer(body string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

func post(socket string) ([]byte, error) {
	return reach.Post(socket, "/mcp", []byte(`{}`), time.Now().Add(patience), limit)
}

// hurriedPost posts to a server that should not answer, and waits only for a short time.
func hurriedPost(socket string, question int) error {
	_, err := reach.Post(socket, "/mcp", make([]byte, question), time.Now().Add(deadline), limit)
	return err
}

// inTime checks that the function ask() fails as expected, in less than twice the deadline. It tries this several
// times, because the machine may be busy.
func inTime(t *testing.T, stage, why string, ask func() error) {
	t.Helper()
	const tries = 10
	var wrong string
	for range tries {
		start := time.Now()
		wrong = mismatch(ask(), stage, why)
		if took := time.Since(start); wrong == "" && took > 2*deadline {
			wrong = "took " + took.String() + " with a deadline of " + deadline.String()
		}
		if wrong == "" {
			return
		}
	}
	t.Error(wrong)
}

func wantFailure(t *testing.T, err error, stage, why string) {
	t.Helper()
	if wrong := mismatch(err, stage, why); wrong != "" {
		t.Error(wrong)
	}
}

// mismatch() describes how an error differs from the wanted Failure. It returns "" if the error does not differ.
func mismatch(err error, stage, why string) string {
	var f *reach.Failure
	if !errors.As(err, &f) {
		return fmt.Sprintf("got %v, want a Failure", err)
	}
	if f.Stage != stage || !strings.Contains(f.Why, why) {
		return fmt.Sprintf("got stage %s: %s\nwant stage %s: … %s …", f.Stage, f.Why, stage, why)
	}
	return ""
}

func wantJSON(t *testing.T, got []byte, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("%.200s: %v", got, err)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	gt, _ := json.Marshal(g)
	wt, _ := json.Marshal(w)
	if string(gt) != string(wt) {
		t.Errorf("got  %.500s\nwant %.500s", gt, wt)
	}
}
