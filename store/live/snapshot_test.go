package live_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

func TestOwnChangesAreSeenAtOnce(t *testing.T) {
	s := open(t, newFile(t))
	tenant := s.For(as("a"))
	if got := snapshotIDs(t, s, "a"); got != "" {
		t.Fatalf("got %q", got)
	}
	one, err := tenant.Create(t.Context(), small("one"))
	check(t, err)
	if got := snapshotIDs(t, s, "a"); got != "one" {
		t.Errorf("after a creation: %q", got)
	}
	one, err = tenant.Toggle(t.Context(), live.Ref{ID: "one", Version: one.Version})
	check(t, err)
	if got := snapshotIDs(t, s, "a"); got != "(one)" {
		t.Errorf("after a toggle: %q", got)
	}
	_, err = tenant.Import(t.Context(), items("two", "three"), store.ImportOptions{})
	check(t, err)
	check(t, tenant.Delete(t.Context(), live.Ref{ID: "one", Version: one.Version}))
	if got := snapshotIDs(t, s, "a"); got != "three two" {
		t.Errorf("after an import and a deletion: %q", got)
	}
	if got := snapshotIDs(t, s, "b"); got != "" {
		t.Errorf("another tenant sees %q", got)
	}
}

func TestChangesByOtherProcessesAreSeenWithinTwoSeconds(t *testing.T) {
	file := newFile(t)
	own, other := open(t, file), open(t, file)
	snapshotIDs(t, own, "a")
	listener := own.Listen("a", "")
	defer listener.Close()
	for i, id := range []string{"one", "two", "three"} {
		_, err := other.For(as("a")).Create(t.Context(), small(id))
		check(t, err)
		eventually(t, 2*time.Second, func() bool {
			now, err := own.Snapshot(t.Context(), "a")
			return err == nil && len(now.Guidelines) == i+1
		})
	}
	if events, _, _ := listener.Next(); len(events) == 0 || events[0].Kind != live.GuidelinesReread || events[0].Tenant != "a" {
		t.Errorf("got %+v", events)
	}
}

func TestReadersNeverWaitForAStoreThatStopsAnswering(t *testing.T) {
	broken := &faulty{Store: database(t, newFile(t))}
	s := newStore(t, broken)
	_, err := s.For(as("a")).Create(t.Context(), small("one"))
	check(t, err)
	snapshotIDs(t, s, "a")
	broken.state.Store(silent)
	started := time.Now()
	for range 1000 {
		snapshotIDs(t, s, "a")
	}
	if took := time.Since(started); took > 20*time.Second {
		t.Errorf("a thousand reads took %s", took)
	}
	broken.state.Store(failing)
	unavailable := func() bool {
		now, err := s.Snapshot(t.Context(), "a")
		check(t, err)
		if len(now.Guidelines) != 1 {
			t.Fatalf("the guidelines in memory are lost: %+v", now)
		}
		return now.Err != nil
	}
	eventually(t, 15*time.Second, unavailable)
	broken.state.Store(healthy)
	eventually(t, 5*time.Second, func() bool { return !unavailable() })
}

func TestAStoreThatIsUnavailableAtFirstIsReadWhenItAnswers(t *testing.T) {
	broken := &faulty{Store: database(t, newFile(t))}
	broken.state.Store(failing)
	s := newStore(t, broken)
	if _, err := s.Snapshot(t.Context(), "a"); store.CodeOf(err) != store.Unavailable {
		t.Fatalf("got %v", err)
	}
	before := broken.calls.Load()
	for range 1000 {
		_, _ = s.Snapshot(t.Context(), "a")
	}
	if calls := broken.calls.Load() - before; calls > 3 {
		t.Errorf("the unavailable store was called %d times more", calls)
	}
	broken.state.Store(healthy)
	eventually(t, 5*time.Second, func() bool {
		_, err := s.Snapshot(t.Context(), "a")
		return err == nil
	})
}

func TestCallersShareTheFirstReadAndEachWaitsOnlyAsLongAsItsContext(t *testing.T) {
	broken := &faulty{Store: database(t, newFile(t))}
	broken.state.Store(silent)
	s := newStore(t, broken)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var callers sync.WaitGroup
	for range 50 {
		callers.Go(func() {
			if _, err := s.Snapshot(ctx, "a"); store.CodeOf(err) != store.Unavailable {
				t.Errorf("got %v", err)
			}
		})
	}
	callers.Wait()
	if calls := broken.calls.Load(); calls != 1 {
		t.Errorf("the store was called %d times", calls)
	}
}

func TestAClosedStoreIsUnavailable(t *testing.T) {
	s := open(t, newFile(t))
	snapshotIDs(t, s, "a")
	check(t, s.Close())
	if _, err := s.Snapshot(t.Context(), "b"); store.CodeOf(err) != store.Unavailable {
		t.Errorf("got %v", err)
	}
}

// The type "gated" is a store whose method Changes waits until it receives a value from the channel gate.
type gated struct {
	store.Store
	gate           chan struct{}
	reads, changes atomic.Int32
}

func (s *gated) Changes(ctx context.Context, tenant string, since store.Moment) (store.Changes, error) {
	s.reads.Add(1)
	<-s.gate
	return s.Store.Changes(ctx, tenant, since)
}

func (s *gated) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	defer s.changes.Add(1)
	return s.Store.Create(ctx, w, g)
}

// Simultaneous changes share one load of the guidelines. If each change loaded the guidelines again, the changes would
// wait for each other.
func TestOneReadServesManySimultaneousChanges(t *testing.T) {
	const many = 40
	slow := &gated{Store: database(t, newFile(t)), gate: make(chan struct{}, 1)}
	slow.gate <- struct{}{}
	s := newStore(t, slow)
	snapshotIDs(t, s, "a")
	var writers sync.WaitGroup
	for i := range many {
		writers.Go(func() {
			id := fmt.Sprintf("g%02d", i)
			_, err := s.For(as("a")).Create(t.Context(), small(id))
			if err != nil || !strings.Contains(snapshotIDs(t, s, "a"), id) {
				t.Errorf("the author of %s does not see it: %v", id, err)
			}
		})
	}
	eventually(t, time.Minute, func() bool { return slow.changes.Load() == many })
	close(slow.gate)
	writers.Wait()
	if reads := slow.reads.Load(); reads > many/2 {
		t.Errorf("changes were read %d times for %d changes", reads, many)
	}
}
