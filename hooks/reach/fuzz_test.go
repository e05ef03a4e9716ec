package reach

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// If readAnswer accepts an HTTP answer, Go's own HTTP client must read the same content from it.
func FuzzReadAnswer(f *testing.F) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	for _, seed := range []string{
		ok + "Content-Length: 2\r\n\r\n{}",
		ok + "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n00\r\nX: y\r\n\r\n",
		ok + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
		ok + "Content-Length: 3\r\n\r\n{}",
		ok + "Content-Length: 1\r\n\r\n{}",
		ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
		ok + "X : y\r\n z\r\nContent-Length: 2\r\n\r\n{}",
		"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone",
		"HTTP/1.1 200\r\nContent-Type: text/event-stream\r\nContent-Length: 0\r\n\r\n",
	} {
		f.Add([]byte(seed), uint8(1))
		f.Add([]byte(seed), uint8(255))
	}
	f.Fuzz(func(t *testing.T, text []byte, piece uint8) {
		const limit = 1 << 16
		kind, body, err := readAnswer(&pieces{text, int(piece)}, limit, true)
		if err != nil {
			if f, ok := errors.AsType[*Failure](err); !ok || f.Why == "" || !utf8.ValidString(f.Why) || len(f.Why) > 2000 {
				t.Fatalf("the message of %#v is too long or has control characters", err)
			}
			return
		}
		want, wantErr := goAnswer(text)
		if wantErr != nil || want != string(body) || len(body) > limit || (kind != typeJSON && kind != typeStream) {
			t.Fatalf("%q\nis read as %s %q, by Go as %q, %v", text, kind, body, want, wantErr)
		}
	})
}

func goAnswer(text []byte) (string, error) {
	r, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(text)), &http.Request{Method: http.MethodPost})
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return string(body), err
}

// The type "pieces" is a reader that returns a text in pieces of a fixed size.
type pieces struct {
	text []byte
	size int
}

func (p *pieces) Read(into []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	n := copy(into, p.text[:min(max(p.size, 1), len(p.text))])
	p.text = p.text[n:]
	return n, nil
}

// FuzzCheckAnswer checks that checkAnswer() accepts the same objects as encoding/json.
func FuzzCheckAnswer(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` { "a" : [1, -0.5e+10, true, false, null, "\u12aB\n\"", {}] } `, `{"a":01}`, `{"a":1,}`, `{"a"}`, `{"a":1}x`, "{\"a\":\"\x1f\"}",
		"{\"a\":\"\xff\"}", `{"a":"\ud83e\udd80"}`, `{"a":"\"}`, `{"a":"12345678\\12345678\"1234567"}`, `{"a":-}`, `{"a":1e}`, `{"a":tru}`, `[]`, `{"a":[}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := checkAnswer(text)
		want := json.Valid(text) && utf8.Valid(text) && bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
		deep := bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) > maxDepth
		if (err == nil) != want && !deep {
			t.Fatalf("%q: got %v, encoding/json says %v", text, err, want)
		}
	})
}

// FuzzCallAnswer checks that callAnswer() finds the same answer in a message as encoding/json.
func FuzzCallAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"a":1}}}`,
		`{"result":{"content":[{"type":"text","text":"{\"a\":\"\\u00fc\\ud83e\\udd80\\ud83e\"}"},{"text":"{}"}],"isError":false}}`,
		`{"result":{"isError":true,"content":[{"text":"no"}]}}`, `{"error":{"message":"no"}}`, `{"error":null,"result":null}`,
		`{"resul\u0074":{"structuredContent":null,"structuredContent":[],"content":[]}}`, `{"method":"x"}`, `{"result":{}}{`,
		`{"result":{"structuredContent":{"a":1}},"result":{"content":[{"text":"{}"}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		answer, found, err := callAnswer(message)
		if !utf8.Valid(message) || bytes.Count(message, []byte("{"))+bytes.Count(message, []byte("[")) > maxDepth {
			return
		}
		want := reference(message)
		if got := string(answer); (err == nil && found) != (want != "") || got != want {
			t.Fatalf("%q: got %q, %v, %v, want %q", message, got, found, err, want)
		}
	})
}

// reference() finds the answer in a message with encoding/json. It returns "" if there is none.
func reference(message []byte) string {
	outer, ok := object(message)
	if !ok || (outer["error"] != nil && string(outer["error"]) != "null") {
		return ""
	}
	result, ok := object(outer["result"])
	if !ok || string(result["isError"]) == "true" {
		return ""
	}
	if _, ok := object(result["structuredContent"]); ok {
		return string(result["structuredContent"])
	}
	var content []json.RawMessage
	if json.Unmarshal(result["content"], &content) != nil || len(content) == 0 {
		return ""
	}
	first, _ := object(content[0])
	var text string
	if json.Unmarshal(first["text"], &text) != nil {
		return ""
	}
	if _, ok := object([]byte(text)); !ok {
		return ""
	}
	return text
}

func object(text []byte) (map[string]json.RawMessage, bool) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(text, &members)
	return members, err == nil && strings.HasPrefix(strings.TrimLeft(string(text), " \t\r\n"), "{")
}

func FuzzStreamAnswer(f *testing.F) {
	const result = `{"result":{"structuredContent":{"a":1}}}`
	for _, seed := range []string{"data: " + result + "\n\n", ": x\r\nid: 1\r\ndata:" + result + "\r\n\r\n", "data: {\ndata: }\n\n", "\n\n", "data", "data:\n\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		before := string(stream)
		answer, err := streamAnswer(stream)
		if string(stream) != before {
			t.Fatalf("%q was changed to %q", before, stream)
		}
		if _, ok := object(answer); (err == nil) != ok {
			t.Fatalf("%q: got %q, %v", stream, answer, err)
		}
	})
}
