//go:build linux || darwin

package reach_test

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"guardrails/hooks/reach"
)

func TestPostSendsOneJSONRequest(t *testing.T) {
	t.Parallel()
	socket := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		io.WriteString(w, `{"saw":"`+strings.Join([]string{
			r.Method, r.URL.Path, r.Host, r.Header.Get("Content-Type"), r.Header.Get("Accept"), r.Header.Get("Connection"), string(body),
		}, " | ")+`"}`)
	})
	got, err := reach.Post(socket, "/x/y?z=1", []byte(`[1,2]`), time.Now().Add(patience), limit)
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, got, `{"saw":"POST | /x/y | guardrails | application/json | application/json | close | [1,2]"}`)
}

// Go's server sends a body in chunks if it is flushed or longer than the buffer.
func TestPostReadsWhatGoServersSend(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 2000, 3000, 10_000, 400_000, limit - 20} {
		want := `{"x":"` + strings.Repeat("y", size) + `"}`
		socket := serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, want[:3])
			if size%3 == 0 {
				w.(http.Flusher).Flush()
			}
			io.WriteString(w, want[3:])
		})
		got, err := reach.Post(socket, "/", []byte(`{}`), time.Now().Add(patience), limit)
		if err != nil || string(got) != want {
			t.Errorf("%d bytes: got %d bytes, %v", size, len(got), err)
		}
	}
}

func TestPostSendsLargeQuestions(t *testing.T) {
	t.Parallel()
	question := []byte(`"` + strings.Repeat("q", 5<<20) + `"`)
	socket := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if string(body) == string(question) {
			io.WriteString(w, `{"same":true}`)
		}
	})
	got, err := reach.Post(socket, "/", question, time.Now().Add(patience), limit)
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, got, `{"same":true}`)
}

func TestPostReportsWhatTheServerRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		why    string
	}{
		{http.StatusNotFound, "404 page not found", "the server answered 404 Not Found: 404 page not found"},
		{http.StatusInternalServerError, "", "the server answered 500 Internal Server Error"},
		{http.StatusFound, "", "the server answered 302 Found"},
		{http.StatusAccepted, "", "the server answered 202 Accepted"},
		{http.StatusNoContent, "", "the server answered 204 No Content"},
		{http.StatusBadRequest, "\x1b[31m" + strings.Repeat("a", 3000), "400 Bad Request: [31maaa"},
		{http.StatusBadGateway, strings.Repeat("a", 100_000), "502 Bad Gateway"},
	} {
		socket := serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://elsewhere/")
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
		})
		_, err := post(socket)
		wantFailure(t, err, reach.StageAnswer, c.why)
		if len(err.Error()) > 1000 || strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("the message is too long or has control characters: %q", err.Error())
		}
	}
}

// A server may refuse a request before it has read all of it.
func TestPostReadsAnEarlyRefusal(t *testing.T) {
	t.Parallel()
	socket := listen(t, func(c net.Conn) {
		defer c.Close()
		io.ReadFull(c, make([]byte, 100))
		io.WriteString(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
	})
	_, err := reach.Post(socket, "/", make([]byte, 8<<20), time.Now().Add(patience), limit)
	wantFailure(t, err, reach.StageAnswer, "413 Too Large")
}

func TestPostRefusesAnAnswerToAnIncompleteRequest(t *testing.T) {
	t.Parallel()
	socket := listen(t, func(c net.Conn) {
		defer c.Close()
		io.ReadFull(c, make([]byte, 100))
		io.WriteString(c, jsonAnswer(`{}`))
	})
	_, err := reach.Post(socket, "/", make([]byte, 8<<20), time.Now().Add(patience), limit)
	wantFailure(t, err, reach.StageSend, "did not accept the request")
}

func TestPostReturnsInTimeWhateverTheServerDoes(t *testing.T) {
	t.Parallel()
	stay := func(c net.Conn, text string) {
		readRequest(c)
		io.WriteString(c, text)
		io.Copy(io.Discard, c) // read until the client disconnects
		c.Close()
	}
	for name, c := range map[string]struct {
		handle   func(net.Conn)
		question int
		stage    string
		why      string
	}{
		"says nothing":   {func(c net.Conn) { stay(c, "") }, 2, reach.StageReceive, "in time (0 bytes"},
		"reads nothing":  {func(net.Conn) {}, 4 << 20, reach.StageSend, "the request in time"},
		"stops in head":  {func(c net.Conn) { stay(c, "HTTP/1.1 200 OK\r\nContent-") }, 2, reach.StageReceive, "in time (25 bytes"},
		"stops in body":  {func(c net.Conn) { stay(c, jsonAnswer(`{"a":1}`)[:70]) }, 2, reach.StageReceive, "in time (70 bytes"},
		"stops in chunk": {func(c net.Conn) { stay(c, chunked("5\r\n{")) }, 2, reach.StageReceive, "in time"},
		"byte by byte":   {slowly(jsonAnswer(`{"a":1}`)), 2, reach.StageReceive, "in time"},
		"reads slowly":   {readSlowly, 4 << 20, reach.StageSend, "the request in time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			socket := listen(t, c.handle)
			inTime(t, c.stage, c.why, func() error { return hurriedPost(socket, c.question) })
		})
	}
}

func slowly(text string) func(net.Conn) {
	return func(c net.Conn) {
		defer c.Close()
		readRequest(c)
		for i := range text {
			if _, err := io.WriteString(c, text[i:i+1]); err != nil {
				return
			}
			time.Sleep(deadline / 3)
		}
	}
}

func readSlowly(c net.Conn) {
	defer c.Close()
	for piece := make([]byte, 40<<10); ; time.Sleep(deadline / 3) {
		if _, err := c.Read(piece); err != nil {
			return
		}
	}
}

func TestPostFailsWhenTheDeadlineHasPassed(t *testing.T) {
	t.Parallel()
	_, err := reach.Post(say(t, jsonAnswer(`{}`)), "/", nil, time.Now().Add(-time.Second), limit)
	wantFailure(t, err, reach.StageSend, "in time")
}

func TestPostRefusesASocketThatIsNotOurs(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	file, fifo, link, stale := filepath.Join(dir, "file"), filepath.Join(dir, "fifo"), filepath.Join(dir, "link"), filepath.Join(dir, "stale")
	must(t, os.WriteFile(file, nil, 0o600))
	must(t, syscall.Mkfifo(fifo, 0o600))
	must(t, os.Symlink(say(t, jsonAnswer(`{}`)), link))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	must(t, err)
	l.SetUnlinkOnClose(false)
	l.Close()
	for path, want := range map[string]reach.Failure{
		"":                            {Stage: reach.StageAbsent, Why: "no folder for its socket"},
		"s":                           {Stage: reach.StageSocket, Why: "not absolute"},
		"@s":                          {Stage: reach.StageSocket, Why: "not absolute"},
		filepath.Join(dir, "none"):    {Stage: reach.StageAbsent, Why: "no server runs"},
		filepath.Join(file, "s"):      {Stage: reach.StageAbsent, Why: "no server runs"},
		dir + strings.Repeat("/", 99): {Stage: reach.StageAbsent, Why: "longer than the 107 bytes"},
		dir + "/s\x00":                {Stage: reach.StageSocket, Why: "invalid argument"},
		file:                          {Stage: reach.StageSocket, Why: "is not a socket"},
		fifo:                          {Stage: reach.StageSocket, Why: "is not a socket"},
		dir:                           {Stage: reach.StageSocket, Why: "is not a socket"},
		link:                          {Stage: reach.StageSocket, Why: "is not a socket"},
		stale:                         {Stage: reach.StageConnect, Why: "no process listens on"},
	} {
		inTime(t, want.Stage, want.Why, func() error { return hurriedPost(path, 2) })
	}
}

func TestPostRefusesInvalidRequestPaths(t *testing.T) {
	t.Parallel()
	socket := say(t, jsonAnswer(`{}`))
	for _, path := range []string{"", "mcp", "/a b", "/a\r\nX: y", "/ü", "/\x7f"} {
		_, err := reach.Post(socket, path, nil, time.Now().Add(patience), limit)
		wantFailure(t, err, reach.StageAsk, "not a plain absolute path")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
