//go:build unix

package killed_test

import (
	"context"
	"math/rand/v2"
	"os"
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

// kills is how often the server is killed: some times wherever somebody works, 50 times in CI.
func kills() int {
	if os.Getenv("CI") == "true" {
		return 50
	}
	return 8
}

func TestWhatWasAcknowledgedOutlivesKills(t *testing.T) {
	if testing.Short() {
		t.Skip("the ordinary run of the tests plays this: the race detector and the coverage see nothing of other programs")
	}
	s := newStage(t)
	server := s.serve()
	if a := s.post(t.Context(), "/api/guardrails", "", guidelineOf("locked", "locked")); a.status != 201 {
		t.Fatalf("%+v %s", a, a.body)
	}
	beside := s.catalog()
	defer func() { check(t, beside.Close()) }()
	l := &ledger{}
	stop := s.load(beside, l)
	for range kills() {
		time.Sleep(100*time.Millisecond + rand.N(400*time.Millisecond)) // for some work to be under way
		_ = server.end(syscall.SIGKILL)                                 // that it was killed is what it says
		server = s.serve()
	}
	stop()
	// What hooks left is taken in before a server ends that is told to.
	if err := server.end(syscall.SIGTERM); err != nil {
		t.Errorf("%v: %s", err, s.said())
	}
	for _, problem := range l.problems {
		t.Error(problem)
	}
	if said := s.said(); strings.Contains(said, "panic") {
		t.Error(said)
	}
	s.verify(beside.For(live.Caller{Tenant: "red"}), l)
}

// catalog is the store as another process has it open.
func (s *stage) catalog() *live.Store {
	s.t.Helper()
	c, err := open.Open(s.t.Context(), &config.Config{Store: &config.Store{Path: s.database()}}, open.Options{Now: time.Now})
	check(s.t, err)
	return c
}

// load lets everybody work until stop is called.
func (s *stage) load(beside *live.Store, l *ledger) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	for _, work := range []func(){
		func() { s.overREST(ctx, l) },
		func() { s.overMCP(ctx, l) },
		func() { overStore(ctx, beside.For(live.Caller{Tenant: "red", Actor: "another"}), l) },
		func() { s.overHooks(ctx, "one", l) },
		func() { s.overHooks(ctx, "two", l) },
	} {
		working.Go(work)
	}
	return func() {
		cancel()
		working.Wait()
	}
}

// verify holds the store against what was acknowledged.
func (s *stage) verify(b *live.TenantStore, l *ledger) {
	s.t.Helper()
	set, err := b.All(s.t.Context())
	check(s.t, err)
	have := map[string]int{}
	for i := range set.Guidelines {
		have[set.Guidelines[i].ID]++
	}
	expect(s.t, "guidelines", l.guidelines, have)
	entries, refused := s.audit(b)
	expect(s.t, "entries of the audit", l.entries, entries)
	expect(s.t, "refusals in the audit", l.refused, refused)
	verdicts, err := b.Verify(s.t.Context())
	check(s.t, err)
	for _, v := range verdicts {
		if v.Fault != nil {
			s.t.Errorf("%+v", v)
		}
	}
}

// audit counts the entries by their ids, and the refusals by the tool call that was refused.
func (s *stage) audit(b *live.TenantStore) (entries, refused map[string]int) {
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

// expect reports what is not there exactly once.
func expect(t *testing.T, what string, acknowledged []string, have map[string]int) {
	t.Helper()
	if len(acknowledged) == 0 {
		t.Errorf("no %s were acknowledged", what)
	}
	missing := 0
	for _, id := range acknowledged {
		if have[id] != 1 {
			if missing++; missing <= 3 {
				t.Errorf("%s: %s was acknowledged and is there %d times", what, id, have[id])
			}
		}
	}
	t.Logf("%s: %d acknowledged, %d of them not there once", what, len(acknowledged), missing)
}
