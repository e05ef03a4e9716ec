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

// stuck is a store whose changes hang until release is closed. It ignores the end of a context.
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
	create := func(tenant, id string) {
		_, err := s.For(as(tenant)).Create(context.WithoutCancel(t.Context()), small(id))
		done <- err
	}
	for i := range most {
		go create("a", fmt.Sprint("g", i))
	}
	eventually(t, time.Minute, func() bool { return hung.begun.Load() == most })
	_, err := s.For(as("a")).Create(t.Context(), small("late"))
	if store.CodeOf(err) != store.Unavailable || !store.ChangedNothing(err) || !strings.Contains(err.Error(), "too many calls") {
		t.Errorf("one more change of the tenant: %v", err)
	}
	go create("b", "one")
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
