package live_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

// The type "stuck" is a store whose changes hang until release is closed. A call of this store does not return when its
// context ends.
type stuck struct {
	store.Store
	begun   atomic.Int32
	release chan struct{}
}

func (s *stuck) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	s.begun.Add(1)
	<-s.release
	if g.ID == "panics" {
		panic("a bug")
	}
	return s.Store.Create(context.WithoutCancel(ctx), w, g)
}

func newStuck(t *testing.T) (*stuck, *live.Store) {
	t.Helper()
	s := &stuck{Store: database(t, newFile(t)), release: make(chan struct{})}
	return s, newStore(t, s)
}

func TestACallEndsInTimeIfTheStoreHangs(t *testing.T) {
	hung, s := newStuck(t)
	defer close(hung.release)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for hung.begun.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err := s.For(as("a")).Create(ctx, small("one"))
	if store.CodeOf(err) != store.Unavailable || store.ChangedNothing(err) {
		t.Errorf("got %v, which says that nothing was changed: %v", err, store.ChangedNothing(err))
	}
}

func TestTooManyChangesOfATenantAreRefusedAtOnce(t *testing.T) {
	hung, s := newStuck(t)
	const most = 256
	done := make(chan error, most+1)
	create := func(who live.Caller, id string) {
		_, err := s.For(who).Create(context.WithoutCancel(t.Context()), small(id))
		done <- err
	}
	refused := func(who live.Caller, what string) {
		t.Helper()
		_, err := s.For(who).Create(t.Context(), small("late"))
		if store.CodeOf(err) != store.Unavailable || !store.ChangedNothing(err) || !strings.Contains(err.Error(), "too many calls") {
			t.Errorf("one more change of %s: %v", what, err)
		}
	}
	for i := range most / 2 {
		go create(live.Caller{Tenant: "a", Actor: "ann"}, fmt.Sprint("g", i))
	}
	eventually(t, time.Minute, func() bool { return hung.begun.Load() == most/2 })
	refused(live.Caller{Tenant: "a", Actor: "ann"}, "the actor")
	for i := range most / 2 {
		go create(live.Caller{Tenant: "a", Actor: "bob"}, fmt.Sprint("h", i))
	}
	eventually(t, time.Minute, func() bool { return hung.begun.Load() == most })
	refused(live.Caller{Tenant: "a", Actor: "eve"}, "the tenant")
	go create(as("b"), "one")
	eventually(t, time.Minute, func() bool { return hung.begun.Load() == most+1 })
	if got := snapshotIDs(t, s, "a"); got != "" {
		t.Errorf("a read waits behind the changes: %s", got)
	}
	close(hung.release)
	for range most + 1 {
		check(t, <-done)
	}
	if _, err := s.For(as("a")).Create(t.Context(), small("later")); err != nil {
		t.Errorf("after the others: %v", err)
	}
}

// Tenants that make many calls must leave places for others.
func TestATenantGetsAPlaceWhileOthersHoldMany(t *testing.T) {
	hung, s := newStuck(t)
	done := make(chan error, 3204)
	for tenant := range 8 {
		for actor := range 4 {
			for i := range 100 {
				go func() {
					who := live.Caller{Tenant: fmt.Sprint("greedy", tenant), Actor: fmt.Sprint(actor)}
					_, err := s.For(who).Create(context.WithoutCancel(t.Context()), small(fmt.Sprint("g", actor, "-", i)))
					done <- err
				}()
			}
		}
	}
	eventually(t, time.Minute, func() bool { return int(hung.begun.Load())+len(done) == 3200 })
	before := hung.begun.Load()
	for i := range 4 {
		go func() {
			_, err := s.For(as(fmt.Sprint("small", i))).Create(context.WithoutCancel(t.Context()), small("one"))
			done <- err
		}()
	}
	eventually(t, time.Minute, func() bool { return hung.begun.Load() == before+4 })
	close(hung.release)
	for range 3204 {
		<-done
	}
}

func TestACallThatNeverReachedTheStoreChangedNothing(t *testing.T) {
	s := live.New(live.Options{Now: time.Now, Open: func(context.Context) (store.Store, error) {
		return nil, store.Errorf(store.Unavailable, "the cluster does not answer")
	}})
	defer func() { check(t, s.Close()) }()
	if _, err := s.For(as("a")).Create(t.Context(), small("one")); !store.ChangedNothing(err) {
		t.Errorf("got %v", err)
	}
}

func TestAPanicInACallDoesNotEndTheProcess(t *testing.T) {
	hung, s := newStuck(t)
	close(hung.release)
	if _, err := s.For(as("a")).Create(t.Context(), small("panics")); store.CodeOf(err) != store.Internal {
		t.Errorf("got %v", err)
	}
}

func TestOnlySomeErrorsLeaveAChangeInDoubt(t *testing.T) {
	for _, c := range []struct {
		err     error
		nothing bool
	}{
		{store.Errorf(store.Conflict, "x"), true},
		{store.Errorf(store.ReadOnly, "x"), true},
		{store.Errorf(store.Unavailable, "x"), false},
		{store.Errorf(store.Internal, "x"), false},
		{store.Untouched(store.Errorf(store.Unavailable, "x")), true},
		{store.Crowded(t.Context()), true},
		{store.Interrupted(t.Context()), false},
		{store.Untouched(errors.New("x")), false},
	} {
		if got := store.ChangedNothing(c.err); got != c.nothing {
			t.Errorf("%v: got %v", c.err, got)
		}
	}
}
