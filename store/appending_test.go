package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"guardrails/store"
)

// join lets appends of so many entries each wait, in order, for a turn that somebody has, and gives what becomes of them.
func join(t *testing.T, a *store.Appends, turn chan struct{}, sizes ...int) (errs chan error) {
	errs = make(chan error, len(sizes))
	for _, size := range sizes {
		go func() {
			_, _, err := a.Join(t.Context(), turn, make([]store.Entry, size))
			errs <- err
		}()
		synctest.Wait()
	}
	return errs
}

// lead gets the turn, writes what waits and says how many entries each batch had.
func lead(t *testing.T, a *store.Appends, size, most int, fails error) (batches []int) {
	t.Helper()
	own, leads, err := a.Join(t.Context(), make(chan struct{}, 1), make([]store.Entry, size))
	if !leads || err != nil {
		t.Fatalf("the turn is free, and the append does not get it: %v", err)
	}
	err = a.Lead(own, most, func(entries []*store.Entry) error {
		batches = append(batches, len(entries))
		return fails
	})
	if !errors.Is(err, fails) {
		t.Errorf("got %v, want %v", err, fails)
	}
	return batches
}

func TestWhoLeadsWritesWhatWaitsInPartsOfASize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a store.Appends
		errs := join(t, &a, nil, 4, 4, 4, 20)
		if got := lead(t, &a, 1, 10, nil); !slices.Equal(got, []int{8, 4, 20, 1}) {
			t.Errorf("batches of %d entries", got)
		}
		for range cap(errs) {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestAllAppendsOfABatchLearnWhyItFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a store.Appends
		why := errors.New("why")
		errs := join(t, &a, nil, 1, 1)
		lead(t, &a, 1, 10, why)
		if one, other := <-errs, <-errs; !errors.Is(one, why) || !errors.Is(other, why) {
			t.Errorf("got %v and %v", one, other)
		}
	})
}

func TestAnAppendWhoseCallerWaitsNoLongerIsNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a store.Appends
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			_, _, err := a.Join(ctx, nil, make([]store.Entry, 1))
			gone <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-gone; store.CodeOf(err) != store.Unavailable {
			t.Errorf("got %v", err)
		}
		if got := lead(t, &a, 2, 10, nil); !slices.Equal(got, []int{2}) {
			t.Errorf("batches of %d entries", got)
		}
		if _, _, err := a.Join(ctx, nil, nil); store.CodeOf(err) != store.Unavailable {
			t.Errorf("a call that nobody waits for: %v", err)
		}
	})
}

func TestAPanicOfWhoLeadsLeavesNobodyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a store.Appends
		errs := join(t, &a, nil, 1)
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != "torn" {
					t.Errorf("recovered %s", got)
				}
			}()
			own, _, err := a.Join(t.Context(), make(chan struct{}, 1), make([]store.Entry, 1))
			if err == nil {
				err = a.Lead(own, 10, func([]*store.Entry) error { panic("torn") })
			}
			t.Errorf("got %v instead of the panic", err)
		}()
		if err := <-errs; store.CodeOf(err) != store.Internal {
			t.Errorf("got %v", err)
		}
	})
}
