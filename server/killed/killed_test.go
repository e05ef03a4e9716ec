//go:build unix

package killed_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// kills returns how often the server is killed: 50 times in CI, less often elsewhere.
func kills() int {
	if os.Getenv("CI") == "true" {
		return 50
	}
	return 8
}

func TestAcknowledgedWritesSurviveKills(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: the race detector and coverage do not see other processes, so a full run is enough")
	}
	s := newFixture(t)
	server := s.serve()
	if a := s.post(t.Context(), "/api/guardrails", "", guideline("locked", "locked")); a.status != 201 {
		t.Fatalf("%+v %s", a, a.body)
	}
	other := s.openStore()
	defer func() { check(t, other.Close()) }()
	l := &ledger{}
	stop := s.startLoad(other, l)
	for range kills() {
		time.Sleep(100*time.Millisecond + rand.N(400*time.Millisecond)) // lets some requests begin
		_ = server.end(syscall.SIGKILL)                                 // the error only says that the process was killed
		server = s.serve()
	}
	stop()
	// A server that stops normally first adds the hooks' records to the audit.
	if err := server.end(syscall.SIGTERM); err != nil {
		t.Errorf("%v: %s", err, s.serverLog())
	}
	for _, problem := range l.problems {
		t.Error(problem)
	}
	if text := s.serverLog(); strings.Contains(text, "panic") {
		t.Error(text)
	}
	s.verify(other.For(live.Caller{Tenant: "red"}), l)
}

// openStore opens the same database file as the server, in this process.
func (s *fixture) openStore() *live.Store {
	s.t.Helper()
	env := func(name string) string {
		return map[string]string{"HOME": filepath.Join(s.dir, "home"), "XDG_RUNTIME_DIR": filepath.Join(s.dir, "run")}[name]
	}
	c, err := open.Open(s.t.Context(), &config.Config{Store: &config.Store{Path: s.database()}},
		open.Options{Env: env, Now: time.Now})
	check(s.t, err)
	return c
}

// startLoad runs all writers and hooks until stop is called.
func (s *fixture) startLoad(other *live.Store, l *ledger) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	for _, work := range []func(){
		func() { s.createOverREST(ctx, l) },
		func() { s.logOverMCP(ctx, l) },
		func() { appendToStore(ctx, other.For(live.Caller{Tenant: "red", Actor: "another"}), l) },
		func() { s.runHooks(ctx, "one", l) },
		func() { s.runHooks(ctx, "two", l) },
	} {
		working.Go(work)
	}
	return func() {
		cancel()
		working.Wait()
	}
}

// verify compares the store with what was acknowledged.
func (s *fixture) verify(b *live.TenantStore, l *ledger) {
	s.t.Helper()
	set, err := b.All(s.t.Context())
	check(s.t, err)
	have := map[string]int{}
	for i := range set.Guidelines {
		have[set.Guidelines[i].ID]++
	}
	expectOnce(s.t, "guidelines", l.guidelines, have)
	entries, refused := s.audit(b)
	expectOnce(s.t, "entries of the audit", l.entries, entries)
	expectOnce(s.t, "refusals in the audit", l.refused, refused)
	verdicts, err := b.Verify(s.t.Context(), live.Verifying{Full: true})
	check(s.t, err)
	for _, v := range verdicts.Verdicts {
		if v.Fault != nil {
			s.t.Errorf("%+v", v)
		}
	}
}

// audit counts the entries by id, and the refusals by the id of the refused tool call.
func (s *fixture) audit(b *live.TenantStore) (entries, refused map[string]int) {
	s.t.Helper()
	entries, refused = map[string]int{}, map[string]int{}
	for e, err := range b.Entries(s.t.Context(), store.AuditFilter{}) {
		check(s.t, err)
		entries[e.ID]++
		if e.Context == nil || e.Decision == nil || e.Decision.Result != "deny" {
			continue
		}
		if call, ok := e.Context.Metadata["tool_use_id"].(string); ok {
			refused[call]++
		}
	}
	return entries, refused
}

// expectOnce reports acknowledged ids that do not exist exactly once.
func expectOnce(t *testing.T, what string, acknowledged []string, have map[string]int) {
	t.Helper()
	if len(acknowledged) == 0 {
		t.Errorf("no %s were acknowledged", what)
	}
	missing := 0
	for _, id := range acknowledged {
		if have[id] != 1 {
			if missing++; missing <= 3 {
				t.Errorf("%s: %s was acknowledged and exists %d times", what, id, have[id])
			}
		}
	}
	t.Logf("%s: %d acknowledged, %d of them missing or duplicated", what, len(acknowledged), missing)
}
