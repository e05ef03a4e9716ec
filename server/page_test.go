package server_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestThePageNeedsNoTokenAndRefusesOtherPagesAndHosts(t *testing.T) {
	s := newFixture(t)
	address, token, _ := s.servePort(s.server())
	html := map[string]string{"Accept": "text/html"}
	for _, c := range []struct {
		name, method, path string
		headers            map[string]string
		want               int
	}{
		{"the page", "GET", "/ui/", nil, 200},
		{"the address of the server", "GET", "/", html, 200},
		{"the page without the last slash", "GET", "/ui", html, 200},
		{"the address of the server, for a program", "GET", "/", nil, 404},
		{"an address of the page", "GET", "/ui/guidelines/a", html, 200},
		{"an encoded address of the page", "GET", "/ui/guidelines/a%2Fb", html, 200},
		{"an address of the page with a token", "GET", "/ui/guidelines/a", map[string]string{
			"Accept": "text/html", "X-API-Key": token,
		}, 200},
		{"a file that is missing", "GET", "/ui/assets/gone.js", nil, 404},
		{"a change of the page", "POST", "/ui/", nil, 405},
		{"another host", "GET", "/ui/", map[string]string{"Host": "evil.example"}, 421},
		{"a page of another origin", "GET", "/ui/", map[string]string{"Origin": "https://evil.example"}, 403},
		{"a path beside the page", "GET", "/uix", html, 401},
		{"a way out of the page", "GET", "/ui/../api/guardrails", html, 404},
		{"an encoded way out of the page, which is an address of the page", "GET", "/ui/%2e%2e/api/guardrails", html, 200},
		{"the API", "GET", "/api/guardrails", nil, 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, body := request(t, c.method, "http://"+address+c.path, "", c.headers); got != c.want {
				t.Errorf("got %d, want %d: %s", got, c.want, body)
			}
		})
	}
}

func TestThePageShowsTheNameAndAsksTheServerForItsState(t *testing.T) {
	s := newFixture(t)
	address, _, _ := s.servePort(s.server())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/", http.NoBody)
	check(t, err)
	r.Header.Set("Accept", "text/html")
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	defer func() { check(t, answer.Body.Close()) }()
	text := readAll(t, answer.Body)
	if !strings.Contains(text, "<title>guardrails</title>") || answer.Request.URL.Path != "/ui/" ||
		!strings.Contains(answer.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("%s %v %s", answer.Request.URL, answer.Header, text)
	}
}
