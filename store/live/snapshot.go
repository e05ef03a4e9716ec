package live

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/footprint"
)

// Snapshot holds the guidelines of a tenant in memory.
type Snapshot struct {
	// Guidelines are all guidelines of the tenant, ordered by key, including disabled ones. The list and its guidelines
	// are shared and must not be modified. If a guideline did not change between two snapshots of one store, both
	// snapshots share it.
	Guidelines []*guideline.Guideline
	// Moment is the state of the store. Its generation changes whenever a guideline changes.
	store.Moment
	// Size is the approximate number of bytes that the guidelines take in memory. The field Shared is the same for all
	// snapshots that share guidelines with this snapshot.
	Size   int64
	Shared any
	// The field "Read" is the time at which the store last confirmed that the snapshot is current.
	Read time.Time
	// Err is the reason why the store does not answer. It is nil if the store answers.
	Err error
}

// The type "cache" keeps the snapshot of one tenant up to date. Readers get the snapshot in memory and never wait for a
// refresh.
type cache struct {
	tenant string
	// The field "current" is nil until the guidelines were read for the first time.
	current atomic.Pointer[Snapshot]
	// The field "ready" is closed after the first attempt to read the guidelines. lastErr is the error of the last attempt
	// that failed.
	ready   chan struct{}
	lastErr atomic.Pointer[error]
	// lastUsed is when a caller last requested the snapshot.
	lastUsed atomic.Int64
	// The field "size" is the approximate number of bytes that the guidelines take in memory. It is the same number as
	// in the field "estimate".
	size atomic.Int64
	// The field "reading" is set while a goroutine reads the changes that a poll has noticed.
	reading atomic.Bool
	// The lock in the field "lock" must be held to read the store. It also guards the fields below.
	lock chan struct{}
	// The field "failures" counts how many times in a row the store did not answer.
	failures int
	// loadStarted is when the last successful load started.
	loadStarted int64
	estimate    footprint.Estimate
	// The field "shared" identifies the guidelines that snapshots of this cache share. The pointer is new when all
	// guidelines are new.
	shared *byte
}

// Snapshot returns the guidelines of a tenant. The first call for the tenant waits until the guidelines are read, or
// until ctx ends. Later calls return the guidelines in memory, which are read again in the background when they change.
// After the guidelines were read once, Snapshot returns them even while the store does not answer.
func (s *Store) Snapshot(ctx context.Context, tenant string) (Snapshot, error) {
	c := s.cache(tenant)
	if c == nil {
		return Snapshot{}, store.Closed()
	}
	select {
	case <-c.ready:
	case <-ctx.Done():
		return Snapshot{}, store.Interrupted(ctx)
	}
	if current := c.current.Load(); current != nil {
		return *current, nil
	}
	return Snapshot{}, *c.lastErr.Load()
}

// cache() returns the cache of a tenant. If the tenant has no cache, cache() creates a cache and starts to read the
// guidelines into it. cache() returns nil if the store is closed.
func (s *Store) cache(tenant string) *cache {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.caches[tenant]
	if c == nil {
		if s.ctx.Err() != nil {
			return nil
		}
		c = &cache{tenant: tenant, ready: make(chan struct{}), lock: make(chan struct{}, 1), shared: new(byte)}
		s.caches[tenant] = c
		s.polling.Go(func() { s.readFirst(c) })
		s.pollOnce.Do(func() { s.polling.Go(s.keepCurrent) })
	}
	c.lastUsed.Store(s.elapsed())
	return c
}

// Tenants returns the tenants whose guidelines are in memory.
func (s *Store) Tenants() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.caches))
}

// ReadError returns the reason why the guidelines of a tenant in memory could not be read again. It returns nil if
// these guidelines are current, or if the tenant is not in memory. It asks the memory only, and does not count as a use
// of the tenant.
func (s *Store) ReadError(tenant string) error {
	s.mu.Lock()
	c := s.caches[tenant]
	s.mu.Unlock()
	if c == nil {
		return nil
	}
	if current := c.current.Load(); current != nil {
		return current.Err
	}
	if last := c.lastErr.Load(); last != nil {
		return *last
	}
	return nil
}

// elapsed() returns the time since New. It does not depend on Options.Now.
func (s *Store) elapsed() int64 { return int64(time.Since(s.started)) }

// cacheState has those properties of a snapshot on which the answers to callers depend. The first read of a snapshot
// counts as a change, because an earlier process may have given other answers.
type cacheState struct {
	generation        int64
	read, unavailable bool
}

func (c *cache) state() cacheState {
	current := c.current.Load()
	if current == nil {
		return cacheState{}
	}
	return cacheState{generation: current.Generation, read: true, unavailable: current.Err != nil}
}

// load() reads what changed since the last load. The first load reads all guidelines. c.lock must be held.
func (s *Store) load(ctx context.Context, c *cache) error {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	started, had := s.elapsed(), Snapshot{}
	if current := c.current.Load(); current != nil {
		had = *current
	}
	changes, err := s.conn.changes(ctx, c.tenant, had.Moment)
	if err != nil {
		c.fail(err)
		return err
	}
	c.loadStarted = started
	guidelines := apply(had.Guidelines, &changes)
	c.measure(had.Guidelines, guidelines, &changes)
	c.set(Snapshot{Guidelines: guidelines, Moment: changes.Moment, Size: c.size.Load(), Shared: c.shared, Read: s.now()})
	return nil
}

// measure() updates the size of the guidelines after changes. c.lock must be held.
func (c *cache) measure(before, after []*guideline.Guideline, changes *store.Changes) {
	count := func() int64 { return footprint.Of(after) }
	if changes.Whole {
		c.estimate, c.shared = footprint.Counted(count()), new(byte)
	} else {
		added, removed := affected(after, changes), affected(before, changes)
		c.estimate = c.estimate.After(footprint.Of(added), footprint.Of(removed), count)
	}
	c.size.Store(c.estimate.Bytes())
}

func (c *cache) set(current Snapshot) {
	c.failures = 0
	c.current.Store(&current)
}

// fail() records that the store did not answer. The snapshot gets the error only after maxFailures consecutive
// failures.
func (c *cache) fail(err error) {
	c.failures++
	c.lastErr.Store(&err)
	if current := c.current.Load(); current != nil && c.failures >= maxFailures {
		stale := *current
		stale.Err = err
		c.current.Store(&stale)
	}
}

// refresh() loads the guidelines of a tenant again if the tenant has a cache. If the context ends first, the next poll
// loads them. If many callers changed guidelines at once, one load serves all of them.
func (s *Store) refresh(ctx context.Context, tenant string) {
	s.mu.Lock()
	c := s.caches[tenant]
	s.mu.Unlock()
	if c == nil {
		return
	}
	changed := s.elapsed()
	select {
	case c.lock <- struct{}{}:
		if c.loadStarted <= changed {
			_ = s.load(ctx, c) // the cache records the error
		}
		<-c.lock
	case <-ctx.Done():
	}
}
