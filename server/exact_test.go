package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNoRequestIsRedirected(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for path, want := range map[string]int{
		"/api/guardrails": 200, "/api": 404, "//api/guardrails": 404, "/api//guardrails": 404, "/x/../mcp": 404, "/./mcp": 404,
		"/mcp/": 404, "//evil.example/api/guardrails": 404, "/api/guardrails/": 404, "/": 404, "/metrics": 200,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address, http.NoBody)
		check(t, err)
		r.URL.Opaque = "//" + address + path
		r.Header.Set("X-API-Key", token)
		answer, err := client.Do(r)
		check(t, err)
		check(t, answer.Body.Close())
		if answer.StatusCode != want || answer.Header.Get("Location") != "" {
			t.Errorf("%s: %d %s", path, answer.StatusCode, answer.Header.Get("Location"))
		}
	}
}

func TestACompressedBodyIsRefused(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	for _, path := range []string{"/mcp", "/api/guardrails/evaluate"} {
		for encoding, want := range map[string]int{"gzip": 415, "br": 415, "identity": 200} {
			body := list
			if path != "/mcp" {
				body = "{}"
			}
			code, text := request(t, http.MethodPost, "http://"+address+path, body,
				map[string]string{"X-API-Key": token, "Content-Encoding": encoding})
			if code != want {
				t.Errorf("%s, %s: %d %s", path, encoding, code, text)
			}
		}
	}
}

func TestNoCallerLearnsWhereTheStoreOfAnotherTenantIs(t *testing.T) {
	s, red, blue := twoTenants(t)
	folder := s.vars["XDG_DATA_HOME"]
	for _, c := range []tenantClient{red, blue} {
		if code, body := c.rest(http.MethodGet, "/api/guardrails/stats", ""); code != http.StatusOK || strings.Contains(body, folder) {
			t.Errorf("stats: %d %s", code, body)
		}
	}
	check(t, os.RemoveAll(folder))
	for wait := time.Now().Add(10 * time.Second); ; {
		if code, _ := blue.rest(http.MethodGet, "/api/guardrails", ""); code == http.StatusServiceUnavailable {
			break
		}
		if time.Now().After(wait) {
			t.Fatal("the store is still there")
		}
	}
	for _, path := range []string{"/api/guardrails", "/api/guardrails/stats", "/api/guardrails/audit"} {
		if _, body := blue.rest(http.MethodGet, path, ""); strings.Contains(body, filepath.Base(folder)+"/") {
			t.Errorf("%s: %s", path, body)
		}
	}
	if got := blue.callTool("guardrails_audit", "{}"); strings.Contains(got, folder) {
		t.Errorf("a tool: %s", got)
	}
	if _, body := red.rest(http.MethodGet, "/api/guardrails/audit", ""); !strings.Contains(body, folder) {
		t.Errorf("the server's own tenant does not learn what to repair: %s", body)
	}
}
