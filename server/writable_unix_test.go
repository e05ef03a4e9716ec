//go:build unix

package server_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// fullStore is a store whose disk can be full.
type fullStore struct {
	store.Store
	full *atomic.Bool
}

func (f fullStore) Writable(ctx context.Context, tenant string) error {
	if f.full.Load() {
		return store.Errorf(store.ReadOnly, "the disk is full").CausedBy(store.ErrFull)
	}
	return f.Store.Writable(ctx, tenant)
}

func TestAServerWhoseStoreCannotBeChangedIsDegradedUntilItCan(t *testing.T) {
	var full atomic.Bool
	s := newFixture(t)
	s.useStore()
	s.open = func(context.Context, *config.Config) (*live.Store, error) {
		open := func(ctx context.Context) (store.Store, error) {
			inner, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(filepath.Dir(s.root), "data", "store.db")})
			return fullStore{inner, &full}, err
		}
		return live.New(live.Options{Open: open, Location: "here", Now: time.Now}), nil
	}
	full.Store(true)
	srv := s.server()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { srv.Upkeep(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	address, token, _ := s.servePort(srv)
	c := tenantClient{t, address, token}
	until := func(status, metric string) {
		t.Helper()
		body, measured := "", ""
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
			_, body = readiness(t, address)
			_, measured = c.rest(http.MethodGet, "/metrics", "")
			if strings.Contains(body, status) && strings.Contains(measured, metric) {
				return
			}
		}
		t.Errorf("no %s in %s, or no %s in\n%s", status, body, metric, measured)
	}
	until(`"status":"degraded"`, "guardrails_store_up 0")
	if _, body := readiness(t, address); !strings.Contains(body, `"fault":"full"`) {
		t.Errorf("got %s", body)
	}
	full.Store(false)
	until(`"status":"ready"`, "guardrails_store_up 1")
}
