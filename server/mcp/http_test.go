package mcp_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func TestEveryAnswerHasAContentLength(t *testing.T) {
	s := newServer(t)
	for _, message := range []string{
		list, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_list","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"none"}`, `{`,
	} {
		w := post(s, message)
		if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) ||
			w.Header().Get("Content-Type") != "application/json" || w.Body.Len() == 0 {
			t.Errorf("%s: %v, %d bytes", message, w.Header(), w.Body.Len())
		}
	}
	if w := post(s, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); w.Code != http.StatusAccepted ||
		w.Body.Len() != 0 {
		t.Errorf("a notification: %d %s", w.Code, w.Body)
	}
}

func TestRequestsThatAreNotMessagesAreRefused(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		method, kind, body string
		want               int
	}{
		{http.MethodGet, "", "", http.StatusMethodNotAllowed},
		{http.MethodDelete, "", "", http.StatusMethodNotAllowed},
		{http.MethodPost, "text/plain", list, http.StatusUnsupportedMediaType},
		{http.MethodPost, "", list, http.StatusUnsupportedMediaType},
		{http.MethodPost, "application/json", `"` + strings.Repeat("x", 1<<20) + `"`, http.StatusRequestEntityTooLarge},
	} {
		r := httptest.NewRequest(c.method, "/mcp", strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s %s: %d %s", c.method, c.kind, w.Code, w.Body)
		}
	}
}

func TestAnUnknownProtocolVersionIsRefused(t *testing.T) {
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_list","arguments":{}}}`
	if w := post(newServer(t), call, "Mcp-Protocol-Version", "1999-01-01"); w.Code != http.StatusBadRequest {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestUnusualMessagesAreAnswered(t *testing.T) {
	s := newServer(t)
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"guardrails_list","arguments":{}}}`:                           `"id":"a"`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_list"}}`:                                            `"total":2`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_list","arguments":null}}`:                           `"total":2`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_list","arguments":{},"_meta":{"progressToken":1}}}`: `"total":2`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none","arguments":{}}}`:                                        `tool 'none' not found`,
		`{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"guardrails_list","arguments":{}}}`:                             `Invalid JSON-RPC version`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_list","arguments":[]}}`:                             `is a list where an object is expected`,
		`{"jsonrpc":"2.0","id":01,"method":"tools/call","params":{"name":"guardrails_list","arguments":{}}}`:                            `-32700`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"guardrails_list","arguments":{}}}`:                      `"total":2`,
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                                                                                      `"result":{}`,
	} {
		if w := post(s, message); !strings.Contains(strings.ReplaceAll(w.Body.String(), `\"`, `"`), want) {
			t.Errorf("%s\ngot  %s\nwant %s", message, w.Body, want)
		}
	}
}

func FuzzMessages(f *testing.F) {
	f.Add(list)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":{"agent":"a"}}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"guardrails://guidelines/a"}}`)
	f.Fuzz(func(t *testing.T, message string) {
		w := post(newServer(t), message)
		if w.Code == http.StatusInternalServerError {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
