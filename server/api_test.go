package server_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestThePortServesTheAPIToCallersWithAToken(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, _ := s.servePort(s.server())
	const one = `{"id":"a","name":"A","category":"custom","action":{"type":"instruction"}}`
	for _, path := range []string{"/api/guardrails", "/api/openapi.json", "/api/nothing"} {
		if code, body := request(t, http.MethodGet, "http://"+address+path, "", nil); code != http.StatusUnauthorized ||
			!strings.Contains(body, `"code":"unauthorized"`) {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
	known := map[string]string{"Authorization": "Bearer " + token}
	if code, body := request(t, http.MethodPost, "http://"+address+"/api/guardrails", one,
		known); code != http.StatusCreated || !strings.Contains(body, `"created_by"`) {
		t.Errorf("%d %s", code, body)
	}
	if _, body := request(t, http.MethodGet, "http://"+address+"/metrics", "", known); !strings.Contains(body, `route="/api/guardrails"`) {
		t.Errorf("the route is not in the metrics:\n%s", body)
	}
}

func TestEventStreamsDoNotDelayTheShutdown(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, token, stop := s.servePort(s.server())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/api/guardrails/events",
		http.NoBody)
	check(t, err)
	r.Header.Set("X-API-Key", token)
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	defer func() { check(t, answer.Body.Close()) }()
	lines := bufio.NewReader(answer.Body)
	line, err := lines.ReadString('\n')
	check(t, err)
	if line != "retry: 1000\n" || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %q", answer.StatusCode, line)
	}
	began := time.Now()
	stop() // fails if a request was cut off
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("the shutdown took %v", took)
	}
	for err == nil {
		_, err = lines.ReadString('\n')
	}
}
