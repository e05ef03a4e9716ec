package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// The type "remote" makes changes over REST. Each call goes to one of the machines.
type remote struct {
	machines []*machine
	ledger   *ledger
	lock     sync.Mutex
	random   *rand.Rand
}

func (r *remote) any() *machine {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.machines[r.random.IntN(len(r.machines))]
}

func (r *remote) Get(ctx context.Context, _, id string) (guideline.Guideline, error) {
	return r.call(ctx, http.MethodGet, "/"+id, "", nil)
}

func (r *remote) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	return r.call(ctx, http.MethodPost, "", w.ID, body(g))
}

func (r *remote) Update(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	b := body(g)
	delete(b, "id")
	b["version"] = g.Version
	return r.call(ctx, http.MethodPut, "/"+g.ID, w.ID, b)
}

func (r *remote) Toggle(ctx context.Context, w store.Write, ref store.Ref) (guideline.Guideline, error) {
	return r.call(ctx, http.MethodPost, "/"+ref.Key+"/toggle", w.ID, map[string]any{"version": ref.Version})
}

func (r *remote) Delete(ctx context.Context, w store.Write, ref store.Ref) error {
	_, err := r.call(ctx, http.MethodDelete, fmt.Sprintf("/%s?version=%d", ref.Key, ref.Version), w.ID, nil)
	return err
}

// Trail asks one of the machines for the audit entries about the changes of a guideline.
func (r *remote) Trail(ctx context.Context, id string) (newest int, err error) {
	entries, a := r.any().audit(ctx, r.ledger, url.Values{"guideline_id": {id}, "kind": {"change"}, "page_size": {"1000"}})
	if a.err != nil || a.status != http.StatusOK {
		return 0, store.Errorf(store.Unavailable, "%d %v: %s", a.status, a.err, a.body)
	}
	versions := map[int]bool{}
	for i := range entries {
		versions[entries[i].Version] = true
		newest = max(newest, entries[i].Version)
	}
	if len(versions) != len(entries) || newest != len(entries) {
		r.ledger.problem("the audit of %s does not have each version once: %s", id, a.body)
	}
	return newest, nil
}

func body(g guideline.Guideline) map[string]any {
	return map[string]any{
		"id": g.ID, "name": g.Name, "enabled": g.Enabled, "category": g.Category,
		"action": map[string]any{"type": "instruction", "instruction": "Write the test first."},
	}
}

// call() sends a request to one of the machines. It returns the error of the store that the answer describes.
func (r *remote) call(ctx context.Context, method, path, key string, body any) (g guideline.Guideline, err error) {
	for {
		a := r.any().send(ctx, r.ledger, method, "/api/guardrails"+path, key, body)
		switch {
		case a.err != nil:
			return g, store.Errorf(store.Unavailable, "%w", a.err)
		case a.status == http.StatusTooManyRequests:
			pause(ctx, 50*time.Millisecond)
		case a.status < 300:
			return g, json.Unmarshal(a.body, &g)
		case a.status == http.StatusInternalServerError:
			r.ledger.problem("%s %s fails for no known reason: %s", method, path, a.body)
			return g, store.Errorf(store.Unavailable, "%s", a.body)
		default:
			if a.status == http.StatusServiceUnavailable && method != http.MethodGet {
				r.ledger.refusals.Add(1)
			}
			return g, a.failure()
		}
	}
}

// reply is the answer to a request.
type reply struct {
	status int
	body   []byte
	err    error
}

// failure() returns the error of the store that the answer describes.
func (a *reply) failure() error {
	var problem struct {
		Code           store.Code
		Detail         string
		CurrentVersion int `json:"current_version"`
		Changed        string
	}
	if err := json.Unmarshal(a.body, &problem); err != nil {
		return store.Errorf(store.Internal, "%d %s: %w", a.status, a.body, err)
	}
	e := store.Errorf(problem.Code, "%d: %s", a.status, problem.Detail)
	if problem.Code == "busy" {
		e.Code = store.Unavailable
	}
	e.Version, e.Unchanged = problem.CurrentVersion, problem.Changed == "no"
	return e
}

// oneConnectionEach makes a new connection for each request, because the server may be killed between two requests.
var oneConnectionEach = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// send() sends a request to the server of a machine. A request must get an answer, unless the server is killed or the
// caller stops waiting.
func (m *machine) send(ctx context.Context, l *ledger, method, path, key string, body any) reply {
	life, stops, began := m.life.Load(), m.stops.Load(), time.Now()
	a := m.request(ctx, method, path, key, body)
	took := time.Since(began)
	if a.err == nil {
		l.answers.Add(1)
	}
	if life%2 == 1 || life != m.life.Load() {
		return a
	}
	if a.err != nil && ctx.Err() == nil {
		l.problem("%s %s has no answer: %v", method, path, a.err)
	}
	if stops%2 == 0 && stops == m.stops.Load() {
		l.waited(took)
	}
	return a
}

func (m *machine) request(ctx context.Context, method, path, key string, body any) reply {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return reply{err: err}
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+m.address+path, bytes.NewReader(text))
	if err != nil {
		return reply{err: err}
	}
	r.Header.Set("Authorization", "Bearer "+m.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	got, err := oneConnectionEach.Do(r)
	if err != nil {
		return reply{err: err}
	}
	defer got.Body.Close()
	out, err := io.ReadAll(got.Body)
	return reply{got.StatusCode, out, err}
}

// call() calls a tool over MCP.
func (m *machine) call(ctx context.Context, l *ledger, tool string, arguments any) reply {
	return m.send(ctx, l, http.MethodPost, "/mcp", "", map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	})
}

// containsID reports whether the answer contains the id of a guideline.
func (a reply) containsID(id string) bool { return bytes.Contains(a.body, []byte(strconv.Quote(id))) }

// audit() asks a machine's server for the audit entries that a query selects.
func (m *machine) audit(ctx context.Context, l *ledger, query url.Values) ([]store.Entry, reply) {
	a := m.send(ctx, l, http.MethodGet, "/api/guardrails/audit?"+query.Encode(), "", nil)
	var page struct{ Entries []store.Entry }
	if a.err == nil && a.status == http.StatusOK {
		a.err = json.Unmarshal(a.body, &page)
	}
	return page.Entries, a
}
