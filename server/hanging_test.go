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
	"guardrails/guideline"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// hangingStore is a store that makes changes, but does not answer. It also does not answer when the audit of the tenant
// "red" is verified.
type hangingStore struct {
	store.Store
	hangs *atomic.Bool
	// Calls that hang end when the channel "end" is closed. A verification that hangs sends a value to the channel
	// "verifying".
	end       <-chan struct{}
	verifying chan<- struct{}
}

func (h hangingStore) hang() {
	if h.hangs.Load() {
		<-h.end
	}
}

func (h hangingStore) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	defer h.hang()
	return h.Store.Create(context.WithoutCancel(ctx), w, g)
}

func (h hangingStore) Import(
	ctx context.Context, w store.Write, items []guideline.Guideline, o store.ImportOptions,
) (store.ImportResult, error) {
	defer h.hang()
	return h.Store.Import(context.WithoutCancel(ctx), w, items, o)
}

func (h hangingStore) Verify(
	ctx context.Context, tenant string, known store.Known, noted ...store.Head,
) ([]store.Verdict, error) {
	if tenant == "red" && h.hangs.Load() {
		h.verifying <- struct{}{}
		h.hang()
	}
	return h.Store.Verify(ctx, tenant, known, noted...)
}

// useHangingStore makes servers use a hangingStore. wake() ends all calls that hang, and lets later calls work.
func (s *fixture) useHangingStore() (wake func(), verifying <-chan struct{}) {
	s.t.Helper()
	s.useStore()
	hangs, end, begun := &atomic.Bool{}, make(chan struct{}), make(chan struct{}, 10)
	hangs.Store(true)
	s.open = func(context.Context, *config.Config) (*live.Store, error) {
		open := func(ctx context.Context) (store.Store, error) {
			inner, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(filepath.Dir(s.root), "data", "store.db")})
			return hangingStore{inner, hangs, end, begun}, err
		}
		return live.New(live.Options{Open: open, Location: "here", Now: time.Now}), nil
	}
	wake = func() {
		if hangs.Swap(false) {
			close(end)
		}
	}
	s.t.Cleanup(wake)
	return wake, begun
}

func TestAChangeThatMayHaveBeenMadeIsAnsweredWithUnknown(t *testing.T) {
	s := newFixture(t)
	wake, _ := s.useHangingStore()
	s.admin, s.answerTime = true, 500*time.Millisecond
	srv := s.server()
	t.Cleanup(wake) // before the server is closed
	address, _, _ := s.servePort(srv)
	c := tenantClient{t, address, s.token(access.Token{Name: "a", Role: access.Admin})}
	for _, r := range []struct{ id, key, text string }{
		{"plain", "", "; the change may have been made, so read the guideline before you send the request again"},
		{"keyed", "key-key-1", "; the change may have been made, so send the request again with the same Idempotency-Key"},
	} {
		got := c.fail(http.MethodPost, "/api/guardrails", strings.ReplaceAll(newOne, "new", r.id), r.key)
		if got.status != http.StatusServiceUnavailable || got.retryAfter == "" || got.Changed != "unknown" ||
			!strings.HasSuffix(got.Detail, r.text) {
			t.Errorf("REST: %+v", got)
		}
	}
	for _, r := range []struct{ tool, arguments, text string }{
		{
			"guardrails_create", `{"write_id":"write-id-1","guideline":` + strings.Replace(newOne, "new", "tool", 1) + `}`,
			"; the change may have been made, so call again with the same write_id, or read the guideline first",
		},
		{
			"guardrails_import", `{"guidelines":[` + strings.Replace(newOne, "new", "imported", 1) + `]}`,
			"; the change may have been made, so call again with the same write_id, or read the guideline first",
		},
	} {
		if got := c.callTool(r.tool, r.arguments); !strings.Contains(got, r.text) {
			t.Errorf("%s: %s", r.tool, got)
		}
	}
	wake()
	for _, id := range []string{"plain", "keyed", "tool", "imported"} {
		if !c.hasGuideline(id) {
			t.Errorf("%s was not made", id)
		}
	}
	code, body := request(t, http.MethodPost, "http://"+address+"/api/guardrails", strings.ReplaceAll(newOne, "new", "keyed"),
		map[string]string{"Authorization": "Bearer " + c.token, "Idempotency-Key": "key-key-1"})
	if code != http.StatusCreated || !strings.Contains(body, `"version":1`) {
		t.Errorf("the same key again: %d %s", code, body)
	}
}

func TestAVerificationOfOneTenantDoesNotRefuseAnother(t *testing.T) {
	s := newFixture(t)
	s.tenant = "red"
	wake, verifying := s.useHangingStore()
	srv := s.server()
	t.Cleanup(wake)
	address, _, _ := s.servePort(srv)
	client := func(name, tenant string) tenantClient {
		return tenantClient{t, address, s.token(access.Token{Name: name, Tenant: tenant, Role: access.Admin})}
	}
	red, otherRed, blue := client("r", "red"), client("r2", "red"), client("b", "blue")
	const path = "/api/guardrails/audit/verify"
	done := make(chan int)
	go func() {
		code, _ := red.rest(http.MethodGet, path, "")
		done <- code
	}()
	<-verifying
	if code, body := otherRed.rest(http.MethodGet, path, ""); code != http.StatusServiceUnavailable ||
		!strings.Contains(body, `"code":"busy"`) {
		t.Errorf("a second verification of the tenant: %d %s", code, body)
	}
	if code, body := blue.rest(http.MethodGet, path, ""); code != http.StatusOK {
		t.Errorf("another tenant: %d %s", code, body)
	}
	wake()
	if code := <-done; code != http.StatusOK {
		t.Errorf("red: %d", code)
	}
}
