package server_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/server/access"
)

// hungServer returns the address of a server that accepts connections and never answers.
func hungServer(t *testing.T) string {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { check(t, on.Close()) })
	go func() {
		for {
			conn, err := on.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	return "http://" + on.Addr().String()
}

// lockDatabase locks the database until unlock() is called. Another process does the same while it writes.
func (s *fixture) lockDatabase() (unlock func()) {
	s.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(s.vars["XDG_DATA_HOME"], "guardrails", "guardrails.db"))
	check(s.t, err)
	s.t.Cleanup(func() { check(s.t, db.Close()) })
	conn, err := db.Conn(context.Background())
	check(s.t, err)
	_, err = conn.ExecContext(context.Background(), "BEGIN IMMEDIATE")
	check(s.t, err)
	return func() {
		s.t.Helper()
		_, err := conn.ExecContext(context.Background(), "ROLLBACK")
		check(s.t, err)
		check(s.t, conn.Close())
	}
}

// failure is the answer to a request that failed.
type failure struct {
	status     int
	retryAfter string
	Code       string
	Changed    string
	Detail     string
}

// fail() sends a request that must fail in time.
func (c tenantClient) fail(method, path, body, key string) (f failure) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, "http://"+c.address+path, strings.NewReader(body))
	check(c.t, err)
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	began := time.Now()
	answer, err := http.DefaultClient.Do(r)
	check(c.t, err)
	defer func() { check(c.t, answer.Body.Close()) }()
	check(c.t, json.NewDecoder(answer.Body).Decode(&f))
	f.status, f.retryAfter = answer.StatusCode, answer.Header.Get("Retry-After")
	if took := time.Since(began); took > 10*time.Second {
		c.t.Errorf("%s %s took %s", method, path, took)
	}
	return f
}

const newOne = `{"id":"new","name":"New","category":"custom","action":{"type":"instruction","instruction":"Do."}}`

func TestARequestIsAnsweredIfElasticsearchHangs(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	s.answerTime = 500 * time.Millisecond
	s.vars["GUARDRAILS_STORE"] = "elasticsearch:" + hungServer(t)
	address, token, _ := s.servePort(s.server())
	c := tenantClient{t, address, token}
	for _, r := range []struct{ method, path, body, changed string }{
		{http.MethodGet, "/api/guardrails", "", ""},
		{http.MethodGet, "/api/guardrails/audit", "", ""},
		{http.MethodGet, "/api/guardrails/stats", "", ""},
		{http.MethodGet, "/api/guardrails/audit/export", "", ""},
		{http.MethodGet, "/api/guardrails/audit/export?format=csv", "", ""},
		{http.MethodPost, "/api/guardrails/replay", "{}", ""},
		{http.MethodPost, "/api/guardrails", newOne, "no"},
		{http.MethodPost, "/api/guardrails/new/toggle", "", "no"},
	} {
		got := c.fail(r.method, r.path, r.body, "")
		if got.status != http.StatusServiceUnavailable || got.retryAfter == "" || got.Changed != r.changed {
			t.Errorf("%s %s: %+v", r.method, r.path, got)
		}
	}
	if got := c.callTool("guardrails_get_context", `{}`); !strings.Contains(got, `"fallback"`) {
		t.Errorf("a tool: %s", got)
	}
	if code, body := c.rest(http.MethodGet, "/healthz", ""); code != http.StatusOK {
		t.Errorf("health: %d %s", code, body)
	}
}

func TestAChangeIsAnsweredIfAnotherProcessLocksTheDatabase(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	s.answerTime = time.Second
	address, token, _ := s.servePort(s.server())
	c := tenantClient{t, address, token}
	c.create("old")
	unlock := s.lockDatabase()
	for _, r := range []struct{ method, path, body string }{
		{http.MethodPost, "/api/guardrails", newOne},
		{http.MethodPost, "/api/guardrails/old/toggle", ""},
		{http.MethodDelete, "/api/guardrails/old", ""},
	} {
		got := c.fail(r.method, r.path, r.body, "")
		if got.status != http.StatusServiceUnavailable || got.retryAfter == "" || got.Changed != "no" ||
			!strings.Contains(got.Detail, "nothing was changed") {
			t.Errorf("%s %s: %+v", r.method, r.path, got)
		}
	}
	if code, body := c.rest(http.MethodGet, "/api/guardrails/old", ""); code != http.StatusOK {
		t.Errorf("reading: %d %s", code, body)
	}
	unlock()
	if code, body := c.rest(http.MethodGet, "/api/guardrails/new", ""); code != http.StatusNotFound {
		t.Errorf("a change that was not made: %d %s", code, body)
	}
	c.create("new")
}

// Changes that are made at the same time wait for each other. Each change must get an answer, and the answers must be
// true.
func TestEachOfManyChangesAtOnceIsAnsweredTruly(t *testing.T) {
	s := newFixture(t)
	s.useStore()
	s.answerTime = time.Second
	token := s.token(access.Token{Name: "many", Role: access.Admin})
	address, _, _ := s.servePort(s.server())
	c := tenantClient{t, address, token}
	c.create("new")
	unlock := s.lockDatabase()
	const many = 150
	answers := make(chan failure, many)
	for i := range many {
		go func() { answers <- c.tryCreate("at-once-" + string(rune('a'+i%26)) + "-" + string(rune('a'+i/26))) }()
	}
	for range many / 2 {
		<-answers
	}
	unlock()
	for range many - many/2 {
		<-answers
	}
}

// create() creates a guideline. On a busy computer, the store sometimes does not answer in time. So the method tries
// again until the store has the guideline.
func (c tenantClient) create(id string) {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		f := c.tryCreate(id)
		if c.hasGuideline(id) {
			return
		}
		if f.Changed == "" || time.Now().After(end) {
			c.t.Fatalf("%s cannot be created: %+v", id, f)
		}
	}
}

// tryCreate creates a guideline. It reports an error if the answer does not agree with the content of the store.
func (c tenantClient) tryCreate(id string) (f failure) {
	code, body := c.rest(http.MethodPost, "/api/guardrails", strings.ReplaceAll(newOne, "new", id))
	if code == http.StatusCreated {
		return f
	}
	if err := json.Unmarshal([]byte(body), &f); err != nil || code != http.StatusServiceUnavailable || f.Changed == "" {
		c.t.Errorf("%d %s", code, body)
	}
	if f.Changed == "no" && c.hasGuideline(id) {
		c.t.Errorf("%s: the answer says that nothing was changed, and the guideline is there", id)
	}
	return f
}

// hasGuideline reports whether the store has a guideline. It asks again while the store is busy.
func (c tenantClient) hasGuideline(id string) bool {
	code, body := 0, ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		switch code, body = c.rest(http.MethodGet, "/api/guardrails/"+id, ""); code {
		case http.StatusOK:
			return true
		case http.StatusNotFound:
			return false
		}
	}
	c.t.Errorf("reading %s: %d %s", id, code, body)
	return false
}
