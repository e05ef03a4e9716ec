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
	"guardrails/server/access"
	"guardrails/server/rest"
	"guardrails/service"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// door is a server with an embedded store, and a caller of the tenant shop who may do everything.
type door struct {
	t       testing.TB
	url     string
	handler *rest.Handler
	store   *live.Store
	project string
	file    string
	logged  *bytes.Buffer
	checks  *contract

	mu     sync.Mutex
	now    time.Time
	step   time.Duration
	caller access.Caller
	away   error
}

func newDoor(t testing.TB) *door {
	t.Helper()
	d := &door{t: t, step: time.Second, now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC), project: t.TempDir(), logged: &bytes.Buffer{}, checks: theContract(t)}
	d.caller = access.Caller{Name: "alice", Tenant: "shop", Role: access.Admin}
	d.file = filepath.Join(t.TempDir(), "data", "guardrails.db")
	d.store = d.open()
	vars := map[string]string{"XDG_STATE_HOME": t.TempDir(), "GUARDRAILS_TENANT": "shop"}
	d.handler = rest.New(rest.Options{
		Service: service.New(service.Options{
			Env: func(name string) string { return vars[name] }, Now: d.clock, Dir: d.project, Remote: true, Memory: true,
			Open: func(context.Context, *config.Config) (*live.Store, error) { return d.store, d.away },
		}),
		Version: "1.2.3", Now: d.clock, Log: slog.New(slog.NewTextHandler(d.logged, nil)),
	})
	server := httptest.NewServer(http.HandlerFunc(d.answer))
	d.url = server.URL
	t.Cleanup(func() { d.handler.End(); server.Close() })
	return d
}

// open opens the store, as another process would.
func (d *door) open() *live.Store {
	d.t.Helper()
	opened, err := sqlite.Open(context.Background(), sqlite.Options{Path: d.file, Now: d.clock})
	check(d.t, err)
	c := live.New(live.Options{Open: live.Opened(opened), Location: "sqlite:guardrails.db", Now: d.clock})
	d.t.Cleanup(func() { check(d.t, c.Close()) })
	return c
}

// answer is the server with the caller whom a guard would have found.
func (d *door) answer(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	caller := d.caller
	d.mu.Unlock()
	d.handler.ServeHTTP(w, r.WithContext(access.With(r.Context(), caller)))
}

// clock moves on by a step with every look at it, so that no two changes have the same time.
func (d *door) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(d.step)
	return d.now
}

// as lets somebody else ask from now on.
func (d *door) as(c access.Caller) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.caller = c
}

func (d *door) writeProject(name, text string) {
	d.t.Helper()
	file := filepath.Join(d.project, filepath.FromSlash(name))
	check(d.t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(d.t, os.WriteFile(file, []byte(text), 0o644))
}

// reply is what the server answered.
type reply struct {
	t      testing.TB
	status int
	header http.Header
	text   string
}

// send asks the server, and holds its answer against the document of the API.
func (d *door) send(method, path, body string, headers ...string) reply {
	d.t.Helper()
	r, err := http.NewRequest(method, d.url+path, strings.NewReader(body))
	check(d.t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	check(d.t, err)
	text, err := io.ReadAll(response.Body)
	check(d.t, err)
	check(d.t, response.Body.Close())
	out := reply{d.t, response.StatusCode, response.Header, string(text)}
	if method != http.MethodHead {
		d.checks.hold(d.t, method, r.URL.EscapedPath(), &out)
	}
	return out
}

// get asks for something that is there.
func (d *door) get(path string) reply {
	d.t.Helper()
	return d.send(http.MethodGet, path, "").is(http.StatusOK)
}

// make creates a guideline of the id, with more fields.
func (d *door) make(id, fields string) reply {
	d.t.Helper()
	return d.send(http.MethodPost, base, guideline(id, fields)).is(http.StatusCreated)
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

// at gives a value in the answer by its path, such as guidelines.0.id, as JSON.
func (r reply) at(path string) string {
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

// has looks for a value in the answer.
func (r reply) has(path, want string) reply {
	r.t.Helper()
	if got := r.at(path); got != want {
		r.t.Errorf("%s is %s, not %s, in %s", path, got, want, r.text)
	}
	return r
}

// each gives a value of every item of a list in the answer.
func (r reply) each(list, field string) string {
	r.t.Helper()
	var out []string
	for i := 0; ; i++ {
		item, err := json.Marshal(i)
		check(r.t, err)
		got := r.at(list + "." + string(item) + "." + field)
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
