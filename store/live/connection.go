package live

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"guardrails/store"
)

// The type "connection" opens a store when the first call needs the store. It opens the store again if the open store
// has disappeared, for example because someone replaced the database file with a copy. A process can therefore start
// before its store exists, and continue after the store was replaced.
type connection struct {
	open func(context.Context) (store.Store, error)
	// The context in the field "ctx" ends when the connection is closed.
	ctx        context.Context
	cancel     context.CancelFunc
	background sync.WaitGroup
	// Each of these queues counts the calls of one kind that use the store or wait for it.
	reads, writes, appends, polls *queue

	mu      sync.Mutex
	current store.Store
	// The field "epoch" is the number of times that a store was opened.
	epoch int64
	// The channel "opening" is closed when the current attempt to open the store ends. The channel is nil if there is no
	// current attempt.
	opening chan struct{}
	// The field "err" is the error of the last failed attempt, and failedAt is its time.
	err      error
	failedAt time.Time
}

const (
	// After a failed attempt to open the store, calls return the error of that attempt for the duration retryAfter.
	retryAfter = time.Second
	// openTimeout limits the time of one attempt to open the store. The attempt does not use the context of the call that
	// needs the store. Otherwise, no attempt would succeed if all calls had short deadlines.
	openTimeout = 30 * time.Second
	// closeAfter is how long running calls may still use a store after Reopen has replaced it.
	closeAfter = 30 * time.Second
)

func newConnection(open func(context.Context) (store.Store, error)) *connection {
	c := &connection{
		open: open, reads: newQueue(maxReads, maxTenantReads), writes: newQueue(maxChanges, maxTenantChanges),
		appends: newQueue(maxAppends, maxTenantAppends), polls: newQueue(maxPolls, maxPolls),
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// get() returns the open store and its epoch. If no store is open, it opens one.
func (c *connection) get(ctx context.Context) (store.Store, int64, error) {
	for {
		s, epoch, wait, err := c.tryGet()
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

// tryGet returns one of three things: the open store, the error of a recent attempt to open the store, or a channel
// that is closed when the current attempt ends. If there is no current attempt, tryGet starts one.
func (c *connection) tryGet() (store.Store, int64, <-chan struct{}, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ctx.Err() != nil:
		return nil, 0, nil, store.Closed()
	case c.current != nil:
		return c.current, c.epoch, nil, nil
	case c.opening == nil && c.err != nil && time.Since(c.failedAt) < retryAfter:
		return nil, 0, nil, c.err
	case c.opening == nil:
		c.opening = make(chan struct{})
		c.background.Go(c.connect)
	}
	return nil, 0, c.opening, nil
}

// connect() opens the store for all callers that wait for it.
func (c *connection) connect() {
	ctx, cancel := context.WithTimeout(c.ctx, openTimeout)
	defer cancel()
	s, err := c.open(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endOpening()
	if err != nil {
		c.err, c.failedAt = err, time.Now()
		return
	}
	c.use(s)
}

// endOpening wakes the goroutines that wait for the end of the attempt. c.mu must be held.
func (c *connection) endOpening() {
	close(c.opening)
	c.opening = nil
}

// use() makes s the current store. c.mu must be held.
func (c *connection) use(s store.Store) {
	c.current, c.err = s, nil
	c.epoch++
}

// check() removes s from the connection if err says that the store has disappeared. The next call opens the store
// again.
func (c *connection) check(s store.Store, err error) {
	if !errors.Is(err, store.ErrGone) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != s {
		return
	}
	c.current = nil
	c.background.Go(func() { _ = s.Close() }) // the store has disappeared, so an error does not matter
}

// reopen() opens the store again and replaces the current one. If opening fails, the current store stays in use.
func (c *connection) reopen(ctx context.Context) error {
	c.mu.Lock()
	old := c.current
	if old == nil || c.opening != nil || c.ctx.Err() != nil {
		c.mu.Unlock()
		return nil // the next call opens the store anyway, or the connection is closed
	}
	c.opening = make(chan struct{})
	c.mu.Unlock()
	s, err := c.open(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endOpening()
	if err != nil {
		return err
	}
	if c.ctx.Err() != nil {
		return s.Close()
	}
	c.use(s)
	c.background.Go(func() { c.closeLater(old) })
	return nil
}

// closeLater closes a replaced store after closeAfter, so that running calls can finish.
func (c *connection) closeLater(old store.Store) {
	select {
	case <-c.ctx.Done():
	case <-time.After(closeAfter):
	}
	_ = old.Close() // an error does not matter: callers already have the results of their writes
}

// close() stops background work and closes the current store.
func (c *connection) close() error {
	c.mu.Lock()
	c.cancel()
	c.mu.Unlock()
	c.background.Wait()
	c.mu.Lock()
	s := c.current
	c.current = nil
	c.mu.Unlock()
	if s == nil {
		return nil
	}
	return s.Close()
}

// stream() yields the items of a sequence from the open store.
func stream[T any](ctx context.Context, c *connection, f func(store.Store) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		s, _, err := c.get(ctx)
		if err != nil {
			var zero T
			yield(zero, err)
			return
		}
		f(s)(yield)
	}
}

// readAll reads every guideline of a tenant.
func (c *connection) readAll(ctx context.Context, tenant string) (store.Set, error) {
	return call(ctx, c, c.reads, holder{tenant: tenant}, func(s store.Store, epoch int64) (store.Set, error) {
		set, err := s.All(ctx, tenant)
		set.Generation = inEpoch(epoch, set.Generation)
		return set, err
	})
}

// changes() reads what changed in the guidelines of a tenant since a moment. If the store was opened again after that
// moment, changes() reads every guideline.
func (c *connection) changes(ctx context.Context, tenant string, since store.Moment) (store.Changes, error) {
	return call(ctx, c, c.reads, holder{tenant: tenant}, func(s store.Store, epoch int64) (store.Changes, error) {
		generation := ChangeCount(since.Generation)
		if since.Generation != inEpoch(epoch, generation) {
			since = store.Moment{}
		}
		since.Generation = generation
		changes, err := s.Changes(ctx, tenant, since)
		changes.Generation = inEpoch(epoch, changes.Generation)
		return changes, err
	})
}

// generation() reads the generation of a tenant's guidelines.
func (c *connection) generation(ctx context.Context, tenant string) (int64, error) {
	return call(ctx, c, c.reads, holder{tenant: tenant}, func(s store.Store, epoch int64) (int64, error) {
		generation, err := store.GenerationOf(ctx, s, tenant)
		return inEpoch(epoch, generation), err
	})
}

// generations() reads the generations of several tenants at once.
func (c *connection) generations(ctx context.Context, tenants []string) ([]int64, error) {
	return call(ctx, c, c.polls, holder{}, func(s store.Store, epoch int64) ([]int64, error) {
		all, err := s.Generations(ctx, tenants...)
		for i := range all {
			all[i] = inEpoch(epoch, all[i])
		}
		return all, err
	})
}

// epochShift is the number of low bits that hold the generation of the store. The bits above them hold the epoch.
const epochShift = 40

// inEpoch combines the generation of a store with its epoch. Two stores that are opened one after the other can have
// equal generations but different guidelines. The epoch makes their combined generations differ.
func inEpoch(epoch, generation int64) int64 { return (epoch-1)<<epochShift + generation }

// ChangeCount returns a generation without its epoch. The result never decreases in one store. If the result is smaller
// than an earlier result, a new store or an older copy has replaced the store.
func ChangeCount(generation int64) int64 { return generation & (1<<epochShift - 1) }
