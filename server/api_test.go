package server_test

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/server"
	"guardrails/service"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// keeping is a server that has a store.
func (s *site) keeping() *server.Server {
	open := func(ctx context.Context, _ *config.Config) (*live.Store, error) {
		held, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(filepath.Dir(s.root), "data", "guardrails.db")})
		if err != nil {
			return nil, err
		}
		return live.New(live.Options{Open: live.Opened(held), Location: "sqlite", Now: time.Now}), nil
	}
	srv := server.New(server.Options{
		Service: service.Options{Env: s.env, Dir: s.root, Now: time.Now, Open: open}, Version: "1.2.3", Log: slog.New(slog.DiscardHandler),
	})
	s.t.Cleanup(func() { check(s.t, srv.Close()) })
	return srv
}

func TestTheAPIIsOnThePortForWhoKnowsAToken(t *testing.T) {
	s := newSite(t)
	address, token, _ := s.port(s.keeping())
	const one = `{"id":"a","name":"A","category":"custom","action":{"type":"instruction"}}`
	for _, path := range []string{"/api/guardrails", "/api/openapi.json", "/api/nothing"} {
		if code, body := request(t, http.MethodGet, "http://"+address+path, "", nil); code != http.StatusUnauthorized || !strings.Contains(body, `"code":"unauthorized"`) {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
	known := map[string]string{"Authorization": "Bearer " + token}
	if code, body := request(t, http.MethodPost, "http://"+address+"/api/guardrails", one, known); code != http.StatusCreated || !strings.Contains(body, `"created_by"`) {
		t.Errorf("%d %s", code, body)
	}
	if _, body := request(t, http.MethodGet, "http://"+address+"/metrics", "", known); !strings.Contains(body, `route="/api/guardrails"`) {
		t.Errorf("the route is not measured:\n%s", body)
	}
}

func TestFollowersOfEventsDoNotHoldUpTheEnd(t *testing.T) {
	s := newSite(t)
	address, token, stop := s.port(s.keeping())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/api/guardrails/events", http.NoBody)
	check(t, err)
	r.Header.Set("X-API-Key", token)
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	defer func() { check(t, answer.Body.Close()) }()
	line, err := bufio.NewReader(answer.Body).ReadString('\n')
	check(t, err)
	if line != "retry: 1000\n" {
		t.Errorf("%q", line)
	}
	began := time.Now()
	stop() // which fails when something had to be cut short
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the end took %v", took)
	}
}
