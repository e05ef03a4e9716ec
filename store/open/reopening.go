package open

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
	// living ends when the store is closed.
	living context.Context
	end    context.CancelFunc
	busy   sync.WaitGroup

	mu    sync.Mutex
	now   store.Store
	epoch int64
	// opening is closed when the attempt to open it that is under way has ended; nil when none is.
	opening chan struct{}
	// failed is why it could not be opened, and since when that is known.
	failed error
	since  time.Time
}

var _ store.Store = (*reopening)(nil)

const (
	// rest is how long a failure to open is believed.
	rest = time.Second
	// openTime is how long opening may take, whatever patience those have who wait for it: one that is given up and begun
	// anew each time would never end.
	openTime = 30 * time.Second
)

func newReopening(open func(context.Context) (store.Store, error)) *reopening {
	r := &reopening{open: open}
	r.living, r.end = context.WithCancel(context.Background())
	return r
}

// opened gives the store that is open, or opens it; the epoch tells how often that was done.
func (r *reopening) opened(ctx context.Context) (store.Store, int64, error) {
	for {
		s, epoch, wait, err := r.known()
		if s != nil || err != nil {
			return s, epoch, err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, 0, store.Interrupted(ctx)
		}
	}
}

// known is what is open, or why it is not, or what to wait for.
func (r *reopening) known() (store.Store, int64, <-chan struct{}, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.living.Err() != nil:
		return nil, 0, nil, store.Closed()
	case r.now != nil:
		return r.now, r.epoch, nil, nil
	case r.opening == nil && r.failed != nil && time.Since(r.since) < rest:
		return nil, 0, nil, r.failed
	case r.opening == nil:
		r.opening = make(chan struct{})
		r.busy.Go(r.attempt)
	}
	return nil, 0, r.opening, nil
}

// attempt opens the store for all who wait.
func (r *reopening) attempt() {
	ctx, cancel := context.WithTimeout(r.living, openTime)
	defer cancel()
	s, err := r.open(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.opening)
	r.opening = nil
	if err != nil {
		r.failed, r.since = err, time.Now()
		return
	}
	r.now, r.failed = s, nil
	r.epoch++
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
	r.busy.Go(func() { _ = gone.Close() }) // there is nothing more that it could lose
}

// grace is how long calls that are under way may still use what was open.
const grace = 30 * time.Second

// again opens the store anew, with what the files say now in which its secrets are. Where that fails, what is open stays so.
func (r *reopening) again(ctx context.Context) error {
	r.mu.Lock()
	old := r.now
	if old == nil || r.opening != nil || r.living.Err() != nil {
		r.mu.Unlock()
		return nil // the next call opens it anyway, or nobody does any more
	}
	r.opening = make(chan struct{})
	r.mu.Unlock()
	s, err := r.open(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.opening)
	r.opening = nil
	if err != nil {
		return err
	}
	if r.living.Err() != nil {
		return s.Close()
	}
	r.now, r.failed = s, nil
	r.epoch++
	r.busy.Go(func() { r.leave(old) })
	return nil
}

// leave closes what was open when nobody can use it any more.
func (r *reopening) leave(old store.Store) {
	select {
	case <-r.living.Done():
	case <-time.After(grace):
	}
	_ = old.Close() // whoever wrote into it has been told what went wrong
}

// Close closes what is open.
func (r *reopening) Close() error {
	r.mu.Lock()
	r.end()
	r.mu.Unlock()
	r.busy.Wait()
	r.mu.Lock()
	s := r.now
	r.now = nil
	r.mu.Unlock()
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
