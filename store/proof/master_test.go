package proof

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/elastic"
)

// The type "acknowledged" records acknowledged writes and their times.
type acknowledged struct {
	lock       sync.Mutex
	guidelines map[string]int
	entries    map[string]bool
	last       time.Time
	// The field "longest" is the longest time without an acknowledged write.
	longest time.Duration
}

func (a *acknowledged) note(f func()) {
	a.lock.Lock()
	defer a.lock.Unlock()
	f()
	now := time.Now()
	if !a.last.IsZero() {
		a.longest = max(a.longest, now.Sub(a.last))
	}
	a.last = now
}

func (a *acknowledged) count() int {
	a.lock.Lock()
	defer a.lock.Unlock()
	return len(a.guidelines) + len(a.entries)
}

func TestNoWriteIsLostWhenTheMasterIsKilledUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("a cluster of three takes a minute")
	}
	c := startCluster(t)
	s, err := elastic.Open(t.Context(), elastic.Options{Addresses: c.addresses(), Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	known := &acknowledged{guidelines: map[string]int{}, entries: map[string]bool{}}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for writer := range 2 {
		all.Go(func() { change(ctx, s, known, fmt.Sprint("g", writer)) })
		all.Go(func() { appendUntil(ctx, s, known, fmt.Sprint("d", writer)) })
	}
	waitFor(t, known, 60)
	c.killMaster()
	killed := known.count()
	waitFor(t, known, killed+100)
	cancel()
	all.Wait()
	t.Logf(
		"%d guidelines changed and %d entries acknowledged; the longest pause took %v", len(known.guidelines),
		len(known.entries), known.longest,
	)
	if known.longest > within {
		t.Errorf("no write was acknowledged for %v, want at most %v", known.longest, within)
	}
	check(t, s, known)
}

// waitFor waits until at least the wanted number of writes was acknowledged.
func waitFor(t *testing.T, known *acknowledged, want int) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); known.count() < want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d writes were acknowledged, want %d", known.count(), want)
		}
	}
}

// change() creates guidelines until ctx ends. It repeats each call with the same write id until the call is
// acknowledged.
func change(ctx context.Context, s store.Store, known *acknowledged, prefix string) {
	for n := 0; ctx.Err() == nil; n++ {
		id := fmt.Sprintf("%s-%d", prefix, n)
		w := store.Write{ID: store.NewID(time.Now()), Tenant: tenant, Actor: "ann"}
		for ctx.Err() == nil {
			g, err := s.Create(ctx, w, guideline.Guideline{
				ID: id, Name: id, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
			})
			if err == nil {
				known.note(func() { known.guidelines[id] = g.Version })
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// appendUntil appends decisions until ctx ends. It repeats each call with the same entry until the call is
// acknowledged.
func appendUntil(ctx context.Context, s store.Store, known *acknowledged, prefix string) {
	for n := 0; ctx.Err() == nil; n++ {
		e := decision(n)
		e.ID = fmt.Sprintf("%s-%d", prefix, n)
		for ctx.Err() == nil {
			if _, err := s.Append(ctx, tenant, e); err == nil {
				known.note(func() { known.entries[e.ID] = true })
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// check() checks that every acknowledged write is in the store exactly once, and that all chains pass verification.
func check(t *testing.T, s store.Store, known *acknowledged) {
	t.Helper()
	verdicts, err := s.Verify(t.Context(), tenant, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		if v.Fault != nil {
			t.Errorf("%+v: %+v", v.Chain, *v.Fault)
		}
	}
	set, err := s.All(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	versions, seen := map[string]int{}, map[string]int{}
	for i := range set.Guidelines {
		versions[set.Guidelines[i].ID] = set.Guidelines[i].Version
	}
	for e, err := range s.Export(t.Context(), tenant, store.AuditFilter{Event: "tool_call"}) {
		if err != nil {
			t.Fatal(err)
		}
		seen[e.ID]++
	}
	for id, version := range known.guidelines {
		if versions[id] != version {
			t.Errorf("the guideline %s has version %d, but version %d was acknowledged", id, versions[id], version)
		}
	}
	for id := range known.entries {
		if seen[id] != 1 {
			t.Errorf("the entry %s exists %d times", id, seen[id])
		}
	}
}
