package live

import (
	"context"
	"time"
)

const (
	// pollInterval is the time between two polls of the store. It is short enough to notice the changes of other processes
	// within two seconds.
	pollInterval = time.Second
	// pollTimeout is how long the store may take to say whether its guidelines changed. loadTimeout is how long the
	// store may take to return all guidelines. A busy machine needs seconds for 50,000 guidelines.
	pollTimeout = 2 * time.Second
	loadTimeout = time.Minute
	// maxFailures is the number of consecutive failed polls after which the store counts as unavailable.
	maxFailures = 2
	// cacheLifetime is how long a snapshot that nobody uses is kept up to date. cacheLifetime is longer than the time for
	// which a session keeps an answer.
	cacheLifetime = 65 * time.Minute
	// maxLoads is the maximum number of changed tenants whose guidelines are read at the same time.
	maxLoads = 16
)

// readFirst reads the guidelines of a tenant for the first time.
func (s *Store) readFirst(c *cache) {
	defer close(c.ready)
	c.lock <- struct{}{}
	defer func() { <-c.lock }()
	generations, err := s.generations([]string{c.tenant})
	if err != nil {
		c.fail(err)
		return
	}
	if s.follow(c, generations[0]) && !s.wasEvicted(c) {
		s.changed()
	}
}

// keepCurrent asks the store regularly which tenants have changed, until the store is closed. It asks about all
// tenants in memory at once, and reads only what changed.
func (s *Store) keepCurrent() {
	loads := make(chan struct{}, maxLoads)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
			s.poll(loads)
		}
	}
}

// poll() asks the store for the generations of all tenants in memory, and reads the tenants that have changed.
func (s *Store) poll(loads chan struct{}) {
	due := s.unexpired()
	if len(due) == 0 {
		return
	}
	tenants := make([]string, len(due))
	for i, c := range due {
		tenants[i] = c.tenant
	}
	generations, err := s.generations(tenants)
	changed := false
	for i, c := range due {
		switch {
		case err != nil:
			changed = c.try(func() { c.fail(err) }) || changed
		case c.isAt(generations[i]):
			changed = c.try(func() { c.confirm(s.now()) }) || changed
		case c.reading.CompareAndSwap(false, true):
			s.polling.Go(func() { s.readChanged(c, generations[i], loads) })
		}
	}
	if changed {
		s.changed()
	}
	if err == nil {
		s.evict(due)
	}
}

// readChanged reads a tenant that has changed. At most maxLoads tenants are read at the same time.
func (s *Store) readChanged(c *cache, generation int64, loads chan struct{}) {
	defer c.reading.Store(false)
	select {
	case loads <- struct{}{}:
		defer func() { <-loads }()
	case <-s.ctx.Done():
		return
	}
	c.lock <- struct{}{}
	defer func() { <-c.lock }()
	if s.follow(c, generation) {
		s.changed()
	}
}

// follow() reads the guidelines of a tenant if the store's generation differs from the generation in memory. It reports
// whether the state of the cache has changed (see cacheState). c.lock must be held.
func (s *Store) follow(c *cache, generation int64) bool {
	before := c.state()
	if c.isAt(generation) {
		c.confirm(s.now())
	} else if s.load(s.ctx, c) == nil && before.read {
		s.announce(Event{Kind: GuidelinesReread, Tenant: c.tenant})
	}
	return c.state() != before
}

// unexpired() returns the caches that were used within cacheLifetime, and removes the other caches.
func (s *Store) unexpired() (due []*cache) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tenant, c := range s.caches {
		if s.elapsed()-c.lastUsed.Load() >= int64(cacheLifetime) {
			delete(s.caches, tenant)
		} else {
			due = append(due, c)
		}
	}
	return due
}

func (s *Store) generations(tenants []string) ([]int64, error) {
	ctx, cancel := context.WithTimeout(s.ctx, pollTimeout)
	defer cancel()
	return s.conn.generations(ctx, tenants)
}

// isAt reports whether the guidelines in memory have the given generation.
func (c *cache) isAt(generation int64) bool {
	current := c.current.Load()
	return current != nil && current.Generation == generation
}

// confirm() records that the snapshot is current. c.lock must be held.
func (c *cache) confirm(now time.Time) {
	current := *c.current.Load()
	current.Read, current.Err = now, nil
	c.set(current)
}

// try() takes the lock and calls f, unless another goroutine is reading the tenant. It reports whether f changed the
// state of the cache (see cacheState).
func (c *cache) try(f func()) bool {
	select {
	case c.lock <- struct{}{}:
		defer func() { <-c.lock }()
	default:
		return false
	}
	before := c.state()
	f()
	return c.state() != before
}
