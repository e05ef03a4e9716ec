package live

import (
	"cmp"
	"slices"
)

// maxMemory is the default limit for the guidelines in memory, in bytes.
const maxMemory = 512 << 20

// evict() removes tenants from memory if the guidelines of all tenants take too much memory. It begins with the tenants
// that have been unused for the longest time. The next caller of such a tenant reads its guidelines again. A tenant
// stays if it has a listener, if it is being read, or if its store does not answer. The tenant that was used last also
// stays.
func (s *Store) evict(due []*cache) {
	total := int64(0)
	for _, c := range due {
		total += c.size.Load()
	}
	if total <= s.memory {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortFunc(due, func(a, b *cache) int { return cmp.Compare(a.lastUsed.Load(), b.lastUsed.Load()) })
	for _, c := range due[:len(due)-1] {
		if total <= s.memory {
			return
		}
		if s.mayEvict(c) {
			total -= c.size.Load()
			s.evicted[c.tenant] = c.current.Load().Generation
			delete(s.caches, c.tenant)
		}
	}
}

// mayEvict reports whether a tenant can be removed from memory. s.mu must be held.
func (s *Store) mayEvict(c *cache) bool {
	t, current := s.topics[c.tenant], c.current.Load()
	return s.caches[c.tenant] == c && current != nil && current.Err == nil && !c.reading.Load() && len(c.lock) == 0 &&
		(t == nil || t.listeners == 0)
}

// wasEvicted reports whether the tenant of c was removed from memory and has not changed since.
func (s *Store) wasEvicted(c *cache) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	generation, evicted := s.evicted[c.tenant]
	delete(s.evicted, c.tenant)
	return evicted && c.isAt(generation)
}
