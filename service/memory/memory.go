// Package memory caches values that were read from the files of projects, until the files change.
//
// Start with Memory. Stamps records the state of files.
package memory

import (
	"math"
	"slices"
	"sync"
	"time"
)

// Key identifies one value that was read from a project.
type Key struct {
	// Root is the project's root folder.
	Root string
	// View distinguishes several values of one project, for example one value for each tenant.
	View string
}

// Memory caches values under keys. It keeps the last value of a key even after the files have changed. The value is
// then no longer current, but callers can still use it as the last known value. Memory drops values if the values of
// its Budget become too large. It is safe for concurrent use.
type Memory[T comparable] struct {
	budget *Budget
	sizeOf func(T) Size
	// The field "entries" is guarded by budget.mu.
	entries map[Key]*entry[T]

	mu       sync.Mutex
	projects map[string]project
	// The field "watches" is the number of times that projects have been watched.
	watches int64
}

type entry[T any] struct {
	value T
	files Stamps
	// The field "until" is the time at which the value expires, even if no file has changed. It is set if the value
	// did not come from files alone. If it is zero, the value does not expire.
	until time.Time
	// The field "stale" is set if the value is not current, whatever the state of the files is.
	stale bool
	// The field "at" is the time at which the value was last found to be current.
	at   time.Time
	size Size
	// The field "used" is the number of the last use of the value.
	used int64
}

type project struct {
	paths []string
	files Stamps
	// The field "changed" is set if the files changed before the last call of Watch, and the method Changed has not
	// reported this change yet.
	changed bool
	// The field "used" is the number of the last call of Watch for the project.
	used int64
}

// maxProjects is the number of projects whose files are watched.
const maxProjects = 256

// New returns a Memory. The size of its values counts toward a budget that the Memory can share with other Memories.
// The function sizeOf returns the current size of a value.
func New[T comparable](budget *Budget, sizeOf func(T) Size) *Memory[T] {
	m := &Memory[T]{budget: budget, sizeOf: sizeOf, entries: map[Key]*entry[T]{}, projects: map[string]project{}}
	budget.mu.Lock()
	defer budget.mu.Unlock()
	budget.members = append(budget.members, m)
	return m
}

// Get returns the value of a key. The result "ok" is false if the key has no value, if the value has expired, or if a
// file from which the value was read has changed.
func (m *Memory[T]) Get(key Key, now time.Time) (value T, ok bool) {
	m.budget.mu.Lock()
	e, found := m.entries[key]
	var is entry[T]
	if found {
		is = *e
	}
	m.budget.mu.Unlock()
	if !found || is.stale || !is.until.IsZero() && !now.Before(is.until) || !is.files.Unchanged() {
		return value, false
	}
	m.use(key)
	return is.value, true
}

// Last is a method that returns the last value of a key, even if it is not current any more, and the time at which it
// was last found to be current.
func (m *Memory[T]) Last(key Key) (value T, at time.Time, found bool) {
	m.budget.mu.Lock()
	defer m.budget.mu.Unlock()
	e, found := m.entries[key]
	if !found {
		return value, at, false
	}
	return e.value, e.at, true
}

// use() records that the value of a key was used. The value may have grown since the last use.
func (m *Memory[T]) use(key Key) {
	m.budget.mu.Lock()
	defer m.budget.mu.Unlock()
	if e, found := m.entries[key]; found {
		m.resize(e)
	}
}

// resize() counts a use of an entry, and updates the recorded size of its value. budget.mu must be held.
func (m *Memory[T]) resize(e *entry[T]) {
	m.budget.remove(e.size)
	e.size, e.used = m.sizeOf(e.value), m.budget.next()
	m.budget.add(e.size)
	m.budget.fit()
}

// Put stores a value. The parameter "files" is the state of the files just before the value was read. If a file was
// written so recently that its next change might not be noticed, the value does not count as current.
func (m *Memory[T]) Put(key Key, value T, files Stamps, now, until time.Time) {
	stale := !files.Settled(now)
	m.budget.mu.Lock()
	defer m.budget.mu.Unlock()
	m.drop(key)
	e := &entry[T]{value: value, files: files, until: until, stale: stale, at: now}
	m.entries[key] = e
	m.resize(e)
}

// Replace stores a newer value in place of an old one. Both values must have been read while the files were in the same
// state. If the key no longer has the old value, Replace does nothing.
func (m *Memory[T]) Replace(key Key, old, value T) {
	m.budget.mu.Lock()
	defer m.budget.mu.Unlock()
	if e, found := m.entries[key]; found && e.value == old {
		e.value = value
		m.resize(e)
	}
}

// Confirm records that a value is current at the given time. If the key has another value, Confirm does nothing.
func (m *Memory[T]) Confirm(key Key, value T, now time.Time) {
	m.budget.mu.Lock()
	defer m.budget.mu.Unlock()
	if e, found := m.entries[key]; found && e.value == value {
		e.at = now
	}
}

// drop() removes the value of a key. budget.mu must be held.
func (m *Memory[T]) drop(key Key) {
	if e, found := m.entries[key]; found {
		m.budget.remove(e.size)
		delete(m.entries, key)
	}
}

func (m *Memory[T]) oldest() (use int64, found bool) {
	e, found := m.entries[oldest(m.entries, func(e *entry[T]) int64 { return e.used })]
	if !found {
		return 0, false
	}
	return e.used, true
}

func (m *Memory[T]) dropOldest() {
	m.drop(oldest(m.entries, func(e *entry[T]) int64 { return e.used }))
}

// oldest() returns the key whose value has not been used for the longest time.
func oldest[K comparable, V any](all map[K]V, used func(V) int64) (key K) {
	first := int64(math.MaxInt64)
	for k, v := range all {
		if at := used(v); at < first {
			key, first = k, at
		}
	}
	return key
}

// Forget makes sure that no value counts as current any more.
func (m *Memory[T]) Forget() {
	m.budget.mu.Lock()
	defer m.budget.mu.Unlock()
	for _, e := range m.entries {
		e.stale = true
	}
}

// Watch returns the current state of a project's files and folders. It also remembers this state, and Changed later
// compares the files with it. Call Watch before you read the files.
func (m *Memory[T]) Watch(root string, paths []string) Stamps {
	files := Look(paths...)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watches++
	before, known := m.projects[root]
	if !known && len(m.projects) >= maxProjects {
		delete(m.projects, oldest(m.projects, func(p project) int64 { return p.used }))
	}
	m.projects[root] = project{paths, files, known && (before.changed || !before.files.equal(files)), m.watches}
	return files
}

// Changed is a method that reports whether the files of a watched project have changed since they were read or since
// the last call of Changed. The values of changed projects are no longer current.
func (m *Memory[T]) Changed() bool {
	roots := m.changedRoots()
	m.budget.mu.Lock()
	defer m.budget.mu.Unlock()
	for key, e := range m.entries {
		e.stale = e.stale || slices.Contains(roots, key.Root)
	}
	return len(roots) > 0
}

// changedRoots returns the projects whose files have changed since the last call.
func (m *Memory[T]) changedRoots() (roots []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for root, p := range m.projects {
		if p.changed || !p.files.Unchanged() {
			roots = append(roots, root)
			m.projects[root] = project{paths: p.paths, files: Look(p.paths...), used: p.used}
		}
	}
	return roots
}
