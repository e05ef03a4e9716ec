package stores

import (
	"context"
	"errors"
	"sync"
	"time"

	"guardrails/store"
)

// reopening is a store that is opened when it is needed, and opened anew when what was opened is gone for good: a database
// whose file was put back from a copy, for one. So a process can start before its store does, and outlive it.
type reopening struct {
	open func(context.Context) (store.Store, error)
	// turn is had by who opens.
	turn chan struct{}

	mu     sync.Mutex
	now    store.Store
	epoch  int64
	closed bool
	// failed is why it could not be opened, and since when that is known.
	failed  error
	since   time.Time
	closing sync.WaitGroup
}

var _ store.Store = (*reopening)(nil)

// rest is how long a failure to open is believed.
const rest = time.Second

func newReopening(open func(context.Context) (store.Store, error)) *reopening {
	return &reopening{open: open, turn: make(chan struct{}, 1)}
}

// opened gives the store that is open, or opens it; the epoch tells how often that was done.
func (r *reopening) opened(ctx context.Context) (store.Store, int64, error) {
	if s, epoch, err := r.known(); s != nil || err != nil {
		return s, epoch, err
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return nil, 0, store.Interrupted(ctx)
	}
	if s, epoch, err := r.known(); s != nil || err != nil {
		return s, epoch, err
	}
	s, err := r.open(ctx)
	return r.keep(ctx, s, err)
}

// known is what is open, or why it is not; nothing where that has to be found out.
func (r *reopening) known() (store.Store, int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return nil, 0, store.Errorf(store.Unavailable, "the store is closed")
	case r.now == nil && r.failed != nil && time.Since(r.since) < rest:
		return nil, 0, r.failed
	}
	return r.now, r.epoch, nil
}

func (r *reopening) keep(ctx context.Context, s store.Store, err error) (store.Store, int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		// That a caller gave up says nothing of the store.
		if ctx.Err() == nil {
			r.failed, r.since = err, time.Now()
		}
		return nil, 0, err
	case r.closed:
		return nil, 0, errors.Join(store.Errorf(store.Unavailable, "the store is closed"), s.Close())
	}
	r.now, r.failed = s, nil
	r.epoch++
	return s, r.epoch, nil
}

// lost lets go of a store that is gone for good; the next call opens it anew.
func (r *reopening) lost(gone store.Store, err error) {
	if !errors.Is(err, store.ErrGone) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != gone {
		return
	}
	r.now = nil
	r.closing.Go(func() { _ = gone.Close() }) // there is nothing more that it could lose
}

// Close closes what is open.
func (r *reopening) Close() error {
	r.mu.Lock()
	s := r.now
	r.closed, r.now = true, nil
	r.mu.Unlock()
	r.closing.Wait()
	if s == nil {
		return nil
	}
	return s.Close()
}

// use calls the store that is open.
func use[T any](ctx context.Context, r *reopening, call func(store.Store) (T, error)) (T, error) {
	s, _, err := r.opened(ctx)
	if err != nil {
		var none T
		return none, err
	}
	out, err := call(s)
	r.lost(s, err)
	return out, err
}
