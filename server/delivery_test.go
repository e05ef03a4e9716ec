package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/config/trust"
	"guardrails/internal/product"
	"guardrails/internal/spool"
	"guardrails/server/access"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// laptop is a computer with a trusted project. The settings of the project contain the address of a server.
type laptop struct {
	t          *testing.T
	root, home string
	now        func() time.Time
}

func newLaptop(t *testing.T, server, token string) *laptop {
	t.Helper()
	l := &laptop{t: t, root: t.TempDir(), home: t.TempDir(), now: time.Now}
	check(t, os.WriteFile(filepath.Join(l.home, "token"), []byte(token+"\n"), 0o600))
	l.settings(l.root, fmt.Sprintf("project: shop\nserver: {url: %q, token_file: ~/token}\n", server))
	return l
}

// settings() writes the settings of a project, and trusts the project as a person would.
func (l *laptop) settings(root, text string) {
	l.t.Helper()
	check(l.t, os.MkdirAll(filepath.Join(root, ".claude"), 0o755))
	check(l.t, os.WriteFile(filepath.Join(root, ".claude", "guardrails.yaml"), []byte(text), 0o644))
	hash, err := trust.Hash(root)
	check(l.t, err)
	check(l.t, trust.Trust(l.env, root, hash, time.Now()))
}

func (l *laptop) env(name string) string {
	return map[string]string{
		"HOME": l.home, "XDG_STATE_HOME": filepath.Join(l.home, "state"), "XDG_DATA_HOME": filepath.Join(l.home, "data"),
		"XDG_CONFIG_HOME": filepath.Join(l.home, "config"), "GUARDRAILS_CACHE_DIR": filepath.Join(l.home, "run"),
	}[name]
}

// deny() records a decision, as a hook does.
func (l *laptop) deny(tool string) { l.denyIn(l.root, "", tool) }

func (l *laptop) denyIn(root, tenant, tool string) {
	l.t.Helper()
	r := spool.Record{
		Time: time.Now().UTC().Format(time.RFC3339), Kind: "decision", Outcome: "deny", Event: "PreToolUse", SessionID: "s-1",
		Agent: "backend", Actor: "somebody-else", Project: root, Tenant: tenant, Tool: tool, GuidelineID: "no-force", Reason: "no",
	}
	check(l.t, spool.Append(filepath.Join(l.home, "state", "guardrails"), time.Now(), r.Line()))
}

// deliver() sends the decisions in the spool to the server, as the client's server and the program guardrails do.
func (l *laptop) deliver() error {
	l.t.Helper()
	s := l.service()
	defer func() { check(l.t, s.Close()) }()
	_, err := s.TakeIn(l.t.Context())
	return err
}

func (l *laptop) service() *service.Service {
	return service.New(service.Options{
		Env: l.env, Now: l.now, Dir: l.root, Memory: true,
		Open: func(ctx context.Context, c *config.Config) (*live.Store, error) {
			return open.Open(ctx, c, open.Options{Env: l.env, Now: time.Now})
		},
	})
}

// forgetDelivery makes the laptop forget which lines the server has.
func (l *laptop) forgetDelivery() {
	l.t.Helper()
	all, err := filepath.Glob(filepath.Join(l.home, "state", "guardrails", product.SpoolFolder, "*.json"))
	check(l.t, err)
	if len(all) == 0 {
		l.t.Fatal("the laptop remembers nothing")
	}
	for _, file := range all {
		check(l.t, os.Remove(file))
	}
}

// decisions() returns the decisions that a client sees in the audit.
func (c tenantClient) decisions() (out []store.Entry) {
	c.t.Helper()
	code, body := c.rest(http.MethodGet, "/api/guardrails/audit?kind=decision&event_type=decision", "")
	var page struct{ Entries []store.Entry }
	if err := json.Unmarshal([]byte(body), &page); err != nil || code != http.StatusOK {
		c.t.Fatalf("%d %s", code, body)
	}
	return page.Entries
}

func (c tenantClient) tools() string {
	c.t.Helper()
	var out []string
	for _, e := range c.decisions() {
		out = append(out, e.Decision.Tool)
	}
	return strings.Join(out, " ")
}

func TestDecisionsOfHooksReachTheAuditOfARemoteServer(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, _, _ := s.servePort(s.server())
	laptop := newLaptop(t, "http://"+address+"/mcp", s.token(access.Token{Name: "anns-laptop", Role: access.Decide}))
	laptop.deny("Bash")
	check(t, laptop.deliver())
	reader := tenantClient{t, address, s.token(access.Token{Name: "reader", Role: access.Read})}
	got := reader.decisions()
	if len(got) != 1 {
		t.Fatalf("got %d decisions", len(got))
	}
	e := got[0]
	if e.Actor != "anns-laptop" || e.Agent() != "backend" || e.Decision.Result != "deny" || e.Decision.Tool != "Bash" ||
		e.Session != "s-1" || e.Guideline != "no-force" || e.ProjectID != "shop" {
		t.Errorf("got %+v, %+v", e, e.Decision)
	}
}

func TestADecisionReachesARemoteServerOnceHoweverOftenItIsSent(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, _, _ := s.servePort(s.server())
	target, err := url.Parse("http://" + address)
	check(t, err)
	var losing atomic.Bool
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if losing.Load() { // the server gets the request, but its answer is lost
			forward.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		forward.ServeHTTP(w, r)
	}))
	defer proxy.Close()
	laptop := newLaptop(t, proxy.URL+"/mcp", s.token(access.Token{Name: "laptop", Role: access.Decide}))
	other := newLaptop(t, proxy.URL+"/mcp", s.token(access.Token{Name: "other", Role: access.Decide}))
	reader := tenantClient{t, address, s.token(access.Token{Name: "reader", Role: access.Read})}
	laptop.deny("Bash")
	losing.Store(true)
	if err := laptop.deliver(); err == nil || !strings.Contains(err.Error(), "does not accept records of decisions") {
		t.Errorf("the answer was lost: %v", err)
	}
	losing.Store(false)
	laptop.deny("Write")
	check(t, laptop.deliver())
	check(t, laptop.deliver())
	laptop.forgetDelivery()
	check(t, laptop.deliver())
	if got := reader.tools(); got != "Write Bash" && got != "Bash Write" {
		t.Errorf("got %q", got)
	}
	copyOf, err := os.ReadDir(filepath.Join(laptop.home, "state", "guardrails", product.SpoolFolder))
	check(t, err)
	check(t, os.MkdirAll(filepath.Join(other.home, "state", "guardrails", product.SpoolFolder), 0o700))
	for _, file := range copyOf {
		if strings.HasSuffix(file.Name(), spool.Extension) {
			text, err := os.ReadFile(filepath.Join(laptop.home, "state", "guardrails", product.SpoolFolder, file.Name()))
			check(t, err)
			check(t, os.WriteFile(filepath.Join(other.home, "state", "guardrails", product.SpoolFolder, file.Name()),
				[]byte(strings.ReplaceAll(string(text), laptop.root, other.root)), 0o600))
		}
	}
	check(t, other.deliver())
	if got := len(reader.decisions()); got != 4 {
		t.Errorf("two computers have recorded four decisions, and the audit has %d", got)
	}
}

func TestDecisionsWaitWhileARemoteServerDoesNotTakeThem(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, _, stop := s.servePort(s.server())
	token := s.token(access.Token{Name: "laptop", Role: access.Decide})
	for name, c := range map[string]struct{ url, token, want string }{
		"nobody listens":       {"http://127.0.0.1:1/mcp", token, "does not answer"},
		"the token is unknown": {"http://" + address + "/mcp", "gr_unknown", "401"},
		"the token may only read": {
			"http://" + address + "/mcp", s.token(access.Token{Name: "reader", Role: access.Read}), "403",
		},
	} {
		laptop := newLaptop(t, c.url, c.token)
		laptop.deny("Bash")
		if err := laptop.deliver(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		check(t, os.WriteFile(filepath.Join(laptop.home, "token"), []byte(token), 0o600))
		laptop.settings(laptop.root, fmt.Sprintf("server: {url: %q, token_file: ~/token}\n", "http://"+address+"/mcp"))
		check(t, laptop.deliver())
	}
	if got := (tenantClient{t, address, token}).tools(); got != "Bash Bash Bash" {
		t.Errorf("got %q", got)
	}
	stop()
}

func TestACallerCannotForgeWhatOnlyTheServerRecords(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	s.tenant = "red"
	s.file(".claude/guardrails.yaml", "tenant: red\n")
	address, _, _ := s.servePort(s.server())
	c := tenantClient{t, address, s.token(access.Token{Name: "laptop", Tenant: "red", Role: access.Decide})}
	decision := func(more string) string {
		return `{"entries":[{"id":"a","timestamp":"2026-02-05T10:00:00Z","event_type":"decision","decision":{"result":"deny"}` + more + `}]}`
	}
	without := func(field string) string { return strings.Replace(decision(""), field, "", 1) }
	for _, bad := range []struct{ path, body, want string }{
		{"", strings.Replace(decision(""), `"decision",`, `"webhook_delivered",`, 1), "event_type"},
		{"", strings.Replace(decision(""), `"decision",`, `"change",`, 1), "event_type"},
		{"", without(`,"decision":{"result":"deny"}`), "entries[0].decision: is missing"},
		{"", without(`"id":"a",`), "entries[0].id: is missing"},
		{"", strings.Replace(decision(""), `"a"`, `""`, 1), "entries[0].id"},
		{"", strings.Replace(decision(""), `"a"`, `"`+strings.Repeat("a", store.MaxName+1)+`"`, 1), "entries[0].id"},
		{"", without(`"timestamp":"2026-02-05T10:00:00Z",`), "entries[0].timestamp: is missing"},
		{"", without(`"event_type":"decision",`), "entries[0].event_type: is missing"},
		{"", strings.Replace(decision(""), "2026-02-05T10:00:00Z", "yesterday", 1), "entries[0].timestamp"},
		{"", decision(`,"id":"b"`), "duplicate key"},
		{"", decision(`,"actor":"boss"`), "entries[0].actor: unknown field"},
		{"", decision(`,"context":{"kind":"change"}`), "entries[0].context.kind: unknown field"},
		{"", `{}`, "entries: is missing"},
		{"", `{"entries":null}`, "entries"},
		{"", `{"entries":[` + strings.Repeat(`{},`, 2000) + `{}]}`, "2000"},
		{"?tenant_id=blue", decision(""), "blue"},
	} {
		code, body := c.rest(http.MethodPost, "/api/guardrails/audit/entries"+bad.path, bad.body)
		if code < 400 || code >= 500 || !strings.Contains(body, bad.want) {
			t.Errorf("%s%.200s: %d %s", bad.path, bad.body, code, body)
		}
	}
	forged := decision(`,"context":{"tenant_id":"blue"}`)
	for range 2 {
		if code, body := c.rest(http.MethodPost, "/api/guardrails/audit/entries?tenant_id=red", forged); code != http.StatusOK {
			t.Fatalf("%d %s", code, body)
		}
	}
	future := strings.NewReplacer(`"a"`, `"b"`, "2026-02-05", "9026-02-05").Replace(decision(""))
	if code, body := c.rest(http.MethodPost, "/api/guardrails/audit/entries", future); code != http.StatusOK {
		t.Fatalf("%d %s", code, body)
	}
	got := c.decisions()
	if len(got) != 2 || got[0].Time.After(s.now()) {
		t.Fatalf("got %+v", got)
	}
	if got = got[1:]; got[0].Actor != "laptop" || got[0].Tenant != "red" || got[0].Context.TenantID != "red" || got[0].ID == "a" {
		t.Errorf("got %+v", got)
	}
}

func TestACallerCannotUseTheIDOfAnotherCallersRecord(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, _, _ := s.servePort(s.server())
	body := `{"entries":[{"id":"refusal-12","timestamp":"2026-02-05T10:00:00Z","event_type":"decision","decision":{"result":"deny"}}]}`
	owners := map[string]bool{}
	for _, name := range []string{"thief", "laptop"} {
		c := tenantClient{t, address, s.token(access.Token{Name: name, Role: access.Decide})}
		if code, answer := c.rest(http.MethodPost, "/api/guardrails/audit/entries", body); code != http.StatusOK {
			t.Fatalf("%d %s", code, answer)
		}
		for _, e := range c.decisions() {
			owners[e.Actor] = e.ID != "refusal-12" && e.Context.Metadata["sent_id"] == "refusal-12"
		}
	}
	if !owners["thief"] || !owners["laptop"] {
		t.Errorf("got %v", owners)
	}
}

func TestEachProjectSendsItsDecisionsWithItsOwnTokenAndTenant(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	address, _, _ := s.servePort(s.server())
	laptop := newLaptop(t, "http://"+address+"/mcp", "")
	for _, name := range []string{"red", "blue"} {
		token := s.token(access.Token{Name: "of-" + name, Tenant: name, Role: access.Decide})
		check(t, os.WriteFile(filepath.Join(laptop.home, name), []byte(token), 0o600))
		root := t.TempDir()
		laptop.settings(root, fmt.Sprintf("tenant: %s\nserver: {url: 'http://%s/mcp', token_file: ~/%s}\n", name, address, name))
		laptop.denyIn(root, "", name)
	}
	check(t, laptop.deliver())
	for _, name := range []string{"red", "blue"} {
		got := (tenantClient{t, address, s.token(access.Token{Name: "reader", Tenant: name, Role: access.Read})}).decisions()
		if len(got) != 1 || got[0].Actor != "of-"+name || got[0].Tenant != name || got[0].Decision.Tool != name {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// refusing is a server that refuses the decisions of the tenant red. It counts the requests for each tenant.
type refusing struct {
	status atomic.Int64
	counts sync.Map
}

func (r *refusing) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	tenant := q.URL.Query().Get("tenant_id")
	count, _ := r.counts.LoadOrStore(tenant, new(atomic.Int64))
	count.(*atomic.Int64).Add(1)
	switch {
	case tenant != "red" && tenant != "":
	case r.status.Load() == 0:
		panic(http.ErrAbortHandler)
	case r.status.Load() != http.StatusOK:
		w.WriteHeader(int(r.status.Load()))
		_, _ = w.Write([]byte(`{"detail":"the reason of the server"}`))
	}
}

func (r *refusing) count(tenant string) int64 {
	count, _ := r.counts.LoadOrStore(tenant, new(atomic.Int64))
	return count.(*atomic.Int64).Load()
}

func TestARefusalConcernsOnlyTheTenantThatAServerRefuses(t *testing.T) {
	for status, want := range map[int]struct {
		text   string
		isLate bool
	}{
		400: {"the reason of the server", true}, 403: {"the reason of the server", true}, 404: {"update the server", true},
		413: {"the reason of the server", true}, 422: {"the reason of the server", true},
		401: {"the reason of the server", false}, 429: {"the reason of the server", false}, 503: {"the reason of the server", false},
	} {
		remote := &refusing{}
		remote.status.Store(int64(status))
		server := httptest.NewServer(remote)
		laptop := newLaptop(t, server.URL+"/mcp", "t")
		laptop.denyIn(laptop.root, "red", "Bash")
		err := laptop.deliver()
		if err == nil || !strings.Contains(err.Error(), want.text) || strings.Contains(err.Error(), `of the tenant "red" wait`) != want.isLate {
			t.Errorf("%d: %v", status, err)
		}
		laptop.denyIn(laptop.root, "blue", "Bash")
		if err := laptop.deliver(); err == nil || want.isLate && remote.count("blue") != 1 {
			t.Errorf("%d: %v, %d requests for the other tenant", status, err, remote.count("blue"))
		}
		remote.status.Store(http.StatusOK)
		check(t, laptop.deliver())
		server.Close()
	}
}

func TestDecisionsThatAreTooManyForAServerAreSentInParts(t *testing.T) {
	var got []int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Entries []json.RawMessage }
		if json.NewDecoder(r.Body).Decode(&body) != nil || len(body.Entries) > 2 {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		got = append(got, len(body.Entries))
	}))
	defer server.Close()
	laptop := newLaptop(t, server.URL+"/mcp", "t")
	for range 5 {
		laptop.deny("Bash")
	}
	check(t, laptop.deliver())
	if fmt.Sprint(got) != "[2 1 2]" {
		t.Errorf("got %v", got)
	}
}

func TestAServerThatDoesNotAnswerIsLeftAloneForAWhile(t *testing.T) {
	remote := &refusing{}
	server := httptest.NewServer(remote)
	defer server.Close()
	laptop := newLaptop(t, server.URL+"/mcp", "t")
	now := time.Now()
	laptop.now = func() time.Time { return now }
	laptop.deny("Bash")
	s := laptop.service()
	defer func() { check(t, s.Close()) }()
	_ = s.CatchUp(t.Context(), "") // this computer has no store of its own
	if remote.count("") != 0 {
		t.Error("a reader of the audit has asked the server")
	}
	for range 3 {
		if _, err := s.TakeIn(t.Context()); err == nil {
			t.Error("no error")
		}
	}
	if got := remote.count(""); got != 1 {
		t.Errorf("%d requests at once", got)
	}
	now, _ = now.Add(time.Minute), remote.status.Swap(http.StatusOK)
	if _, err := s.TakeIn(t.Context()); err != nil || remote.count("") != 2 {
		t.Errorf("a minute later: %v, %d requests", err, remote.count(""))
	}
}

func TestAProjectThatNobodyTrustsDoesNotChooseWhoGetsTheDecisions(t *testing.T) {
	remote := &refusing{}
	remote.status.Store(http.StatusOK)
	server := httptest.NewServer(remote)
	defer server.Close()
	laptop := newLaptop(t, server.URL+"/mcp", "t")
	file := filepath.Join(laptop.root, ".claude", "guardrails.yaml")
	text, err := os.ReadFile(file)
	check(t, err)
	check(t, os.WriteFile(file, append(text, "# changed\n"...), 0o644))
	laptop.deny("Bash")
	check(t, laptop.deliver())
	if got := remote.count(""); got != 0 {
		t.Errorf("%d requests", got)
	}
}
