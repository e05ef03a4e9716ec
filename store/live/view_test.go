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
	c := open(t, newFile(t))
	book := c.For(as("a"))
	if got := seen(t, c, "a"); got != "" {
		t.Fatalf("%q", got)
	}
	one, err := book.Create(t.Context(), small("one"))
	check(t, err)
	if got := seen(t, c, "a"); got != "one" {
		t.Errorf("after a creation: %q", got)
	}
	one, err = book.Toggle(t.Context(), store.Ref{ID: "one", Version: one.Version})
	check(t, err)
	if got := seen(t, c, "a"); got != "(one)" {
		t.Errorf("after a toggle: %q", got)
	}
	_, err = book.Import(t.Context(), items("two", "three"), store.ImportOptions{})
	check(t, err)
	check(t, book.Delete(t.Context(), store.Ref{ID: "one", Version: one.Version}))
	if got := seen(t, c, "a"); got != "three two" {
		t.Errorf("after an import and a deletion: %q", got)
	}
	if got := seen(t, c, "b"); got != "" {
		t.Errorf("another tenant sees %q", got)
	}
}

func TestChangesOfOthersAreSeenWithinTwoSeconds(t *testing.T) {
	file := newFile(t)
	mine, theirs := open(t, file), open(t, file)
	seen(t, mine, "a")
	events, stop := mine.Listen("a")
	defer stop()
	for i, id := range []string{"one", "two", "three"} {
		_, err := theirs.For(as("a")).Create(t.Context(), small(id))
		check(t, err)
		eventually(t, 2*time.Second, func() bool {
			v, err := mine.View(t.Context(), "a")
			return err == nil && len(v.Guidelines) == i+1
		})
	}
	if e := <-events; e.Kind != live.GuidelinesReread || e.Tenant != "a" {
		t.Errorf("%+v", e)
	}
}

func TestAStoreThatGoesAwayMakesNobodyWaitAndIsSaidToBeAway(t *testing.T) {
	s := &troubled{Store: database(t, newFile(t))}
	c := catalogOf(t, s)
	_, err := c.For(as("a")).Create(t.Context(), small("one"))
	check(t, err)
	seen(t, c, "a")
	s.state.Store(silent)
	began := time.Now()
	for range 1000 {
		seen(t, c, "a")
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("a thousand questions took %s", took)
	}
	s.state.Store(failing)
	away := func() bool {
		v, err := c.View(t.Context(), "a")
		check(t, err)
		if len(v.Guidelines) != 1 {
			t.Fatalf("what was known is gone: %+v", v)
		}
		return v.Err != nil
	}
	eventually(t, 15*time.Second, away)
	s.state.Store(well)
	eventually(t, 5*time.Second, func() bool { return !away() })
}

func TestAStoreThatIsAwayAtFirstIsReadWhenItIsBack(t *testing.T) {
	s := &troubled{Store: database(t, newFile(t))}
	s.state.Store(failing)
	c := catalogOf(t, s)
	if _, err := c.View(t.Context(), "a"); codeOf(err) != store.Unavailable {
		t.Fatalf("%v", err)
	}
	before := s.asked.Load()
	for range 1000 {
		_, _ = c.View(t.Context(), "a")
	}
	if asked := s.asked.Load() - before; asked > 3 {
		t.Errorf("the store that is away was asked %d times more", asked)
	}
	s.state.Store(well)
	eventually(t, 5*time.Second, func() bool {
		_, err := c.View(t.Context(), "a")
		return err == nil
	})
}

func TestTheFirstReadIsSharedAndNobodyWaitsLongerThanTheyWant(t *testing.T) {
	s := &troubled{Store: database(t, newFile(t))}
	s.state.Store(silent)
	c := catalogOf(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var asking sync.WaitGroup
	for range 50 {
		asking.Go(func() {
			if _, err := c.View(ctx, "a"); codeOf(err) != store.Unavailable {
				t.Errorf("%v", err)
			}
		})
	}
	asking.Wait()
	if asked := s.asked.Load(); asked != 1 {
		t.Errorf("the store was asked %d times", asked)
	}
}

func TestAClosedCatalogSaysSo(t *testing.T) {
	c := open(t, newFile(t))
	seen(t, c, "a")
	check(t, c.Close())
	if _, err := c.View(t.Context(), "b"); codeOf(err) != store.Unavailable {
		t.Errorf("%v", err)
	}
}

// gated is a store that lets nobody read everything until its gate is open.
type gated struct {
	store.Store
	gate          chan struct{}
	read, changes atomic.Int32
}

func (s *gated) All(ctx context.Context, tenant string) (store.Set, error) {
	s.read.Add(1)
	<-s.gate
	return s.Store.All(ctx, tenant)
}

func (s *gated) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	defer s.changes.Add(1)
	return s.Store.Create(ctx, w, g)
}

// With ten thousand guidelines in memory, reading them for each change would make many changes wait for one another.
func TestManyChangesAtTheSameTimeAreReadTogether(t *testing.T) {
	const many = 40
	s := &gated{Store: database(t, newFile(t)), gate: make(chan struct{}, 1)}
	s.gate <- struct{}{}
	c := catalogOf(t, s)
	seen(t, c, "a")
	var changing sync.WaitGroup
	for i := range many {
		changing.Go(func() {
			id := fmt.Sprintf("g%02d", i)
			_, err := c.For(as("a")).Create(t.Context(), small(id))
			if err != nil || !strings.Contains(seen(t, c, "a"), id) {
				t.Errorf("who made %s does not see it: %v", id, err)
			}
		})
	}
	eventually(t, 10*time.Second, func() bool { return s.changes.Load() == many })
	close(s.gate)
	changing.Wait()
	if read := s.read.Load(); read > many/2 {
		t.Errorf("everything was read %d times for %d changes", read, many)
	}
}
