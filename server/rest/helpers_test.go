package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/server/access"
	"guardrails/server/rest"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
	"guardrails/store/sqlite"
	"guardrails/webhook"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// testAPI is a server with an embedded store. Its caller is an admin of the tenant "shop" until actAs is called.
type testAPI struct {
	// The fields "hook" and "delivery" are the ids of the webhook and the delivery in the examples of the documentation.
	hook, delivery string

	t        testing.TB
	url      string
	handler  *rest.Handler
	store    *live.Store
	project  string
	file     string
	logged   *bytes.Buffer
	contract *contract
	// The field "entries" is the number of decisions that a test has added.
	entries int

	mu       sync.Mutex
	now      time.Time
	step     time.Duration
	caller   access.Caller
	storeErr error
}

func newAPI(t testing.TB) *testAPI {
	t.Helper()
	return newAPIThatCounts(t, 0)
}

// newAPIThatCounts returns a server whose summaries count at most this many entries. If the number is 0, they count as
// many as usual.
func newAPIThatCounts(t testing.TB, most int) *testAPI {
	t.Helper()
	api := &testAPI{
		t: t, step: time.Second, now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC), project: t.TempDir(),
		logged: &bytes.Buffer{}, contract: loadContract(t),
	}
	api.caller = access.Caller{Name: "alice", Tenant: "shop", Role: access.Admin}
	api.file = filepath.Join(t.TempDir(), "data", "guardrails.db")
	api.store = api.open()
	vars := map[string]string{
		"XDG_STATE_HOME": t.TempDir(), "GUARDRAILS_CACHE_DIR": t.TempDir(), "GUARDRAILS_TENANT": "shop",
	}
	api.handler = rest.New(rest.Options{
		Service: service.New(service.Options{
			Env: func(name string) string { return vars[name] }, Now: api.clock, Dir: api.project, Remote: true, Memory: true,
			Open: func(context.Context, *config.Config) (*live.Store, error) { return api.store, api.storeErr },
		}),
		Sessions: api.sessions(vars), Tokens: api.tokens(vars), Sender: api,
		Version: "1.2.3", Now: api.clock, Tenant: "shop", Log: slog.New(slog.NewTextHandler(api.logged, nil)),
		MaxCounted: most,
	})
	server := httptest.NewServer(http.HandlerFunc(api.serveAsCaller))
	api.url = server.URL
	t.Cleanup(func() { api.handler.End(); server.Close() })
	return api
}

// sessions() returns the sessions of browsers. The name of the first token's caller is "owner".
func (api *testAPI) sessions(vars map[string]string) *access.Sessions {
	api.t.Helper()
	state, err := private.Open(vars["XDG_STATE_HOME"])
	check(api.t, err)
	check(api.t, state.Write(product.TokenFile, []byte(ownersToken+"\n")))
	keys, _, err := access.OpenKeyring(state, "shop", time.Now)
	check(api.t, err)
	return access.NewSessions(keys, "7117", api.clock)
}

// tokens() returns the tokens of the server's callers.
func (api *testAPI) tokens(vars map[string]string) *access.Tokens {
	api.t.Helper()
	tokens, err := access.OpenTokens(vars["XDG_STATE_HOME"], api.clock)
	check(api.t, err)
	return tokens
}

const ownersToken = "c2VjcmV0IG9mIHRoZSBvd25lciwgZm9yIHRlc3Rz"

// open() opens the store a second time, as another process would.
func (api *testAPI) open() *live.Store {
	api.t.Helper()
	opened, err := sqlite.Open(context.Background(), sqlite.Options{Path: api.file, Now: api.clock})
	check(api.t, err)
	c := live.New(live.Options{Open: live.Opened(opened), Location: "sqlite:guardrails.db", Now: api.clock, Notes: notes(api.t, api.clock)})
	api.t.Cleanup(func() { check(api.t, c.Close()) })
	return c
}

// serveAsCaller adds the caller to the request, as a guard would.
func (api *testAPI) serveAsCaller(w http.ResponseWriter, r *http.Request) {
	api.mu.Lock()
	caller := api.caller
	api.mu.Unlock()
	ctx := access.With(r.Context(), caller)
	if caller.Tenant != "" {
		ctx = service.ForTenant(ctx, caller.Tenant)
	}
	api.handler.ServeHTTP(w, r.WithContext(ctx))
}

// clock() returns a later time on every call, so no two changes have the same time.
func (api *testAPI) clock() time.Time {
	api.mu.Lock()
	defer api.mu.Unlock()
	api.now = api.now.Add(api.step)
	return api.now
}

// actAs sends the following requests as the given caller.
func (api *testAPI) actAs(c access.Caller) {
	api.mu.Lock()
	defer api.mu.Unlock()
	api.caller = c
}

func (api *testAPI) writeProject(name, text string) {
	api.t.Helper()
	file := filepath.Join(api.project, filepath.FromSlash(name))
	check(api.t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(api.t, os.WriteFile(file, []byte(text), 0o644))
}

type reply struct {
	t      testing.TB
	status int
	header http.Header
	text   string
}

// send() sends a request. It checks the answer against the OpenAPI document.
func (api *testAPI) send(method, path, body string, headers ...string) reply {
	api.t.Helper()
	r, err := http.NewRequest(method, api.url+path, strings.NewReader(body))
	check(api.t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	check(api.t, err)
	text, err := io.ReadAll(response.Body)
	check(api.t, err)
	check(api.t, response.Body.Close())
	out := reply{api.t, response.StatusCode, response.Header, string(text)}
	if method != http.MethodHead {
		api.contract.check(api.t, method, r.URL.EscapedPath(), &out)
	}
	return out
}

// get() sends a GET request. The resource must exist.
func (api *testAPI) get(path string) reply {
	api.t.Helper()
	return api.send(http.MethodGet, path, "").is(http.StatusOK)
}

func (api *testAPI) create(id, fields string) reply {
	api.t.Helper()
	return api.send(http.MethodPost, base, guideline(id, fields)).is(http.StatusCreated)
}

const base = "/api/guardrails"

func guideline(id, fields string) string {
	if fields != "" {
		fields = "," + fields
	}
	if !strings.Contains(fields, `"category"`) {
		fields += `,"category":"custom"`
	}
	if !strings.Contains(fields, `"action"`) {
		fields += `,"action":{"type":"instruction","instruction":"Do it."}`
	}
	return `{"id":"` + id + `","name":"The ` + id + ` one"` + fields + `}`
}

func (r reply) is(status int) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("got %d, want %d: %s", r.status, status, r.text)
	}
	return r
}

// value() returns one value of the answer as JSON, such as "guidelines.0.id".
func (r reply) value(path string) string {
	r.t.Helper()
	var value any
	check(r.t, json.Unmarshal([]byte(r.text), &value))
	for step := range strings.SplitSeq(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			value = at[step]
		case []any:
			var i int
			check(r.t, json.Unmarshal([]byte(step), &i))
			if i >= len(at) {
				return ""
			}
			value = at[i]
		default:
			return ""
		}
	}
	text, err := json.Marshal(value)
	check(r.t, err)
	return strings.Trim(string(text), `"`)
}

func (r reply) has(path, want string) reply {
	r.t.Helper()
	if got := r.value(path); got != want {
		r.t.Errorf("%s: got %s, want %s, in %s", path, got, want, r.text)
	}
	return r
}

// values() returns one field of each item in a list of the answer.
func (r reply) values(list, field string) string {
	r.t.Helper()
	var out []string
	for i := 0; ; i++ {
		item, err := json.Marshal(i)
		check(r.t, err)
		got := r.value(list + "." + string(item) + "." + field)
		if got == "" {
			return strings.Join(out, " ")
		}
		out = append(out, got)
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// notes() returns a book in which the newest entries (heads) of the audit are noted.
func notes(t testing.TB, now func() time.Time) *notedheads.Book {
	state := t.TempDir()
	return notedheads.Open(func() (string, error) { return state, nil }, "sqlite:guardrails.db", now)
}

// Try delivers to webhooks without a network. It replaces the package named send.
func (api *testAPI) Try(_ context.Context, _ *store.Endpoint, d *store.Delivery) (webhook.Outcome, bool) {
	d.State, d.Due = store.DeliveryDone, time.Time{}
	d.Tries = append(d.Tries, store.Try{Attempt: len(d.Tries) + 1, At: api.clock(), Status: http.StatusNoContent, DurationMS: 42})
	return webhook.Delivered, true
}
