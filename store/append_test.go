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

// join() starts one append for each size. The appends wait for the lock in the order of the sizes. The errors of the
// appends are sent to errs.
func join(t *testing.T, a *store.Appends, lock chan struct{}, sizes ...int) (errs chan error) {
	errs = make(chan error, len(sizes))
	for _, size := range sizes {
		go func() {
			_, _, err := a.Join(t.Context(), lock, store.Pointers(make([]store.Entry, size)))
			errs <- err
		}()
		synctest.Wait()
	}
	return errs
}

// lead() gets the lock, writes the waiting entries, and returns the size of each batch.
func lead(t *testing.T, a *store.Appends, size, batchSize int, fail error) (batches []int) {
	t.Helper()
	own, leads, err := a.Join(t.Context(), make(chan struct{}, 1), store.Pointers(make([]store.Entry, size)))
	if !leads || err != nil {
		t.Fatalf("the append did not get the free lock: %v", err)
	}
	err = a.Lead(own, batchSize, func(entries []*store.Entry) error {
		batches = append(batches, len(entries))
		return fail
	})
	if !errors.Is(err, fail) {
		t.Errorf("got %v, want %v", err, fail)
	}
	return batches
}

func TestTheLeaderWritesWaitingEntriesInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a store.Appends
		errs := join(t, &a, nil, 4, 4, 4, 20)
		if got := lead(t, &a, 1, 10, nil); !slices.Equal(got, []int{8, 4, 20, 1}) {
			t.Errorf("got batches of %d entries", got)
		}
		for range cap(errs) {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestAllAppendsOfABatchReturnItsError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a store.Appends
		cause := errors.New("cause")
		errs := join(t, &a, nil, 1, 1)
		lead(t, &a, 1, 10, cause)
		if one, other := <-errs, <-errs; !errors.Is(one, cause) || !errors.Is(other, cause) {
			t.Errorf("got %v and %v", one, other)
		}
	})
}

func TestAnAppendWhoseContextEndedIsNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a store.Appends
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			_, _, err := a.Join(ctx, nil, store.Pointers(make([]store.Entry, 1)))
			gone <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-gone; store.CodeOf(err) != store.Unavailable {
			t.Errorf("got %v", err)
		}
		if got := lead(t, &a, 2, 10, nil); !slices.Equal(got, []int{2}) {
			t.Errorf("got batches of %d entries", got)
		}
		if _, _, err := a.Join(ctx, nil, nil); store.CodeOf(err) != store.Unavailable {
			t.Errorf("a call with an ended context: %v", err)
		}
	})
}

func TestAPanicOfTheLeaderEndsAllAppendsOfTheBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a store.Appends
		errs := join(t, &a, nil, 1)
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != "broken" {
					t.Errorf("recovered %s", got)
				}
			}()
			own, _, err := a.Join(t.Context(), make(chan struct{}, 1), store.Pointers(make([]store.Entry, 1)))
			if err == nil {
				err = a.Lead(own, 10, func([]*store.Entry) error { panic("broken") })
			}
			t.Errorf("got %v, want a panic", err)
		}()
		if err := <-errs; store.CodeOf(err) != store.Internal {
			t.Errorf("got %v", err)
		}
	})
}
