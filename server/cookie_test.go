package server_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/server/access"
)

// browser is a page with a session.
type browser struct {
	t            *testing.T
	address, key string
	cookie       *http.Cookie
}

// signIn begins a session. The parameter "body" is a JSON object with a code or a token.
func signIn(t *testing.T, address, body string) *browser {
	t.Helper()
	b := &browser{t: t, address: address}
	answer := b.send(http.MethodPost, "/api/session", body, map[string]string{"X-Guardrails-Page": "1"})
	if answer.code != http.StatusCreated || len(answer.cookies) != 1 {
		t.Fatalf("%d %s", answer.code, answer.text)
	}
	var session struct{ Key string }
	check(t, json.Unmarshal([]byte(answer.text), &session))
	b.key, b.cookie = session.Key, answer.cookies[0]
	return b
}

// send() sends a request as the browser does. The given headers replace the headers of the browser. An empty value
// removes a header.
func (b *browser) send(method, path, body string, headers map[string]string) pageAnswer {
	b.t.Helper()
	answer, err := http.DefaultClient.Do(b.request(method, path, body, headers))
	check(b.t, err)
	defer func() { check(b.t, answer.Body.Close()) }()
	return pageAnswer{answer.StatusCode, answer.Close, readAll(b.t, answer.Body), answer.Cookies()}
}

// pageAnswer is an answer that a page received. The field "closes" is set if the server closes the connection.
type pageAnswer struct {
	code    int
	closes  bool
	text    string
	cookies []*http.Cookie
}

func (b *browser) request(method, path, body string, headers map[string]string) *http.Request {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, "http://"+b.address+path, strings.NewReader(body))
	check(b.t, err)
	all := map[string]string{"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
	if method != http.MethodGet {
		all["Origin"], all["X-Guardrails-Page"] = "http://"+b.address, b.key
	}
	maps.Copy(all, headers)
	for name, value := range all {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	return r
}

func TestABrowserSignsInWithACodeAndChangesGuidelines(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	b := signIn(t, address, `{"code":"`+access.NewCode(token, portOf(address), time.Now())+`"}`)
	if answer := b.send("GET", "/api/session", "", nil); answer.code != 200 || answer.closes {
		t.Errorf("%d, closes %v", answer.code, answer.closes)
	}
	if answer := b.send("POST", "/api/guardrails", newOne, nil); answer.code != 201 {
		t.Errorf("%d %s", answer.code, answer.text)
	}
	if answer := b.send("GET", "/api/guardrails/audit?kind=change", "", nil); !strings.Contains(answer.text, `"actor":"owner"`) {
		t.Errorf("%s", answer.text)
	}
}

func TestASessionHasOnlyTheRightsOfItsToken(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	reader := s.token(access.Token{Name: "reader", Role: access.Read})
	address, _, _ := s.servePort(s.server())
	b := signIn(t, address, `{"token":"`+reader+`"}`)
	if answer := b.send("GET", "/api/guardrails", "", nil); answer.code != 200 {
		t.Errorf("reading: %d", answer.code)
	}
	if answer := b.send("POST", "/api/guardrails", newOne, nil); answer.code != 403 {
		t.Errorf("writing: %d", answer.code)
	}
}

func TestOnlyThePageItselfCanUseItsCookie(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	b := signIn(t, address, `{"token":"`+token+`"}`)
	for _, c := range []struct {
		name, method, path string
		headers            map[string]string
		want               int
	}{
		{"reading", "GET", "/api/guardrails", nil, 200},
		{"a browser that does not say where the request is from", "GET", "/api/guardrails", map[string]string{"Sec-Fetch-Site": ""}, 200},
		{"an address that a person typed", "GET", "/api/guardrails/audit/export", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"reading from another site", "GET", "/api/guardrails", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"reading from another port of this host", "GET", "/api/guardrails", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"changing without Origin", "POST", "/api/guardrails", map[string]string{"Origin": ""}, 403},
		{"changing from another origin", "POST", "/api/guardrails", map[string]string{"Origin": "http://evil.example"}, 403},
		{"changing from another port", "POST", "/api/guardrails", map[string]string{"Origin": "http://127.0.0.1:3000"}, 403},
		{"changing without the key", "POST", "/api/guardrails", map[string]string{"X-Guardrails-Page": ""}, 403},
		{"changing with another key", "POST", "/api/guardrails", map[string]string{"X-Guardrails-Page": b.key + "x"}, 403},
		{"deleting without the key", "DELETE", "/api/guardrails/new-one?version=1", map[string]string{"X-Guardrails-Page": "1"}, 403},
		{"checking a message without the key", "POST", "/api/guardrails/evaluate", map[string]string{"X-Guardrails-Page": "1"}, 403},
		{"MCP", "POST", "/mcp", nil, 401},
		{"metrics", "GET", "/metrics", nil, 401},
		{"a wrong token beside the cookie", "GET", "/api/guardrails", map[string]string{"Authorization": "Bearer x"}, 401},
		{"changing", "POST", "/api/guardrails", nil, 201},
	} {
		t.Run(c.name, func(t *testing.T) {
			if answer := b.send(c.method, c.path, newOne, c.headers); answer.code != c.want {
				t.Errorf("got %d, want %d: %s", answer.code, c.want, answer.text)
			}
		})
	}
}

func TestTheCookiesOfOtherServersOnTheSameHostDoNotMatter(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	b := signIn(t, address, `{"token":"`+token+`"}`)
	if want := "guardrails-" + portOf(address); b.cookie.Name != want {
		t.Errorf("the cookie is %s, want %s", b.cookie.Name, want)
	}
	own := b.cookie.Name + "=" + b.cookie.Value
	for cookies, want := range map[string]int{
		"guardrails-1=other; " + own:     200,
		own + "; guardrails-65535=other": 200,
		"guardrails-1=" + b.cookie.Value: 200, // a proxy can hide the port that the browser sees
		"guardrails-1=other":             401,
		"other=" + b.cookie.Value:        401,
		"__Host-other=" + b.cookie.Value: 401,
		b.cookie.Name + "=":              401,
		"__Host-guardrails-443=other":    401,
	} {
		other := &browser{t: t, address: address}
		if answer := other.send("GET", "/api/guardrails", "", map[string]string{"Cookie": cookies}); answer.code != want {
			t.Errorf("%s: %d, want %d", cookies, answer.code, want)
		}
	}
}

func TestSigningInNeedsThePage(t *testing.T) {
	s := newFixture(t)
	address, token, _ := s.servePort(s.server())
	b := &browser{t: t, address: address, key: "1"}
	body := `{"token":"` + token + `"}`
	for name, headers := range map[string]map[string]string{
		"no Origin":           {"Origin": ""},
		"another origin":      {"Origin": "https://evil.example"},
		"no header":           {"X-Guardrails-Page": ""},
		"another host":        {"Origin": "http://evil.example:" + portOf(address)},
		"a page from a file":  {"Origin": "null"},
		"another local port":  {"Origin": "http://localhost:3000"},
		"a host with a point": {"Origin": "http://127.0.0.1.evil.example:" + portOf(address)},
	} {
		if answer := b.send("POST", "/api/session", body, headers); answer.code != 403 || len(answer.cookies) > 0 {
			t.Errorf("%s: %d", name, answer.code)
		}
	}
	if answer := b.send("GET", "/api/session", "", nil); answer.code != 401 {
		t.Errorf("without a session: %d", answer.code)
	}
}

func TestSigningOutEndsTheSessionAndItsStream(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	b := signIn(t, address, `{"token":"`+token+`"}`)
	events, err := http.DefaultClient.Do(b.request("GET", "/api/guardrails/events", "", nil))
	check(t, err)
	defer func() { _ = events.Body.Close() }()
	stream := bufio.NewScanner(events.Body)
	for stream.Scan() && stream.Text() != "event: ready" {
	}
	answer := b.send("DELETE", "/api/session", "", nil)
	if answer.code != http.StatusNoContent || len(answer.cookies) != 1 || answer.cookies[0].MaxAge >= 0 {
		t.Errorf("%d %v", answer.code, answer.cookies)
	}
	for stream.Scan() { // waits for the end of the stream
	}
	if answer := b.send("GET", "/api/guardrails", "", nil); answer.code != 401 {
		t.Errorf("after signing out: %d", answer.code)
	}
}

func TestWithoutThePageThereAreNoSessions(t *testing.T) {
	s := newFixture(t)
	s.noPage = true
	address, token, _ := s.servePort(s.server())
	b := &browser{t: t, address: address, key: "1"}
	for path, want := range map[string]int{"/ui/": 401, "/": 401, "/api/session/proof": 401} {
		if answer := b.send("GET", path, "", map[string]string{"Accept": "text/html"}); answer.code != want {
			t.Errorf("%s: %d", path, answer.code)
		}
	}
	if answer := b.send("POST", "/api/session", `{"token":"`+token+`"}`, nil); answer.code != 403 || len(answer.cookies) > 0 {
		t.Errorf("%d", answer.code)
	}
	if answer := b.send("POST", "/api/session/proof", `{"nonce":"`+access.NewNonce()+`"}`, nil); answer.code != 401 {
		t.Errorf("%d", answer.code)
	}
}
