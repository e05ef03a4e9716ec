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

// Memory caches values by key. If the total size of the values becomes too large, Memory drops the values that were not
// used for the longest time. It is safe for concurrent use. The zero value is ready to use.
type Memory[T comparable] struct {
	// Size returns the size of a value. If it is nil, every value has the size 1. The sizes of all values together are at
	// most MaxSize.
	Size func(T) int

	mu       sync.Mutex
	entries  map[Key]entry[T]
	projects map[string]project
	// size is the sum of the sizes of all values. uses is the number of times that values and projects have been used.
	size int
	uses int64
}

type entry[T any] struct {
	value T
	files Stamps
	// The field until is the time after which the value is invalid even if no file has changed. It is set if the value did
	// not come from files alone. If it is zero, the value does not expire.
	until time.Time
	size  int
	// The field used is the number of the last use of the value.
	used int64
}

type project struct {
	paths []string
	files Stamps
	// The field changed is set if the files changed before the last call of Watch, and Changed has not reported it yet.
	changed bool
	// The field used is the number of the last use of the project.
	used int64
}

// MaxSize is the largest size of all values together. maxProjects is the number of projects whose files are watched.
const (
	MaxSize     = 100_000
	maxProjects = 256
)

// Get returns the value of a key. ok is false if the key has no value, if the value has expired, or if a file from
// which the value was read has changed.
func (m *Memory[T]) Get(key Key, now time.Time) (value T, ok bool) {
	m.mu.Lock()
	e, found := m.entries[key]
	m.mu.Unlock()
	if !found || !e.until.IsZero() && !now.Before(e.until) || !e.files.Unchanged() {
		return value, false
	}
	m.use(key)
	return e.value, true
}

// use records that the value of a key was used.
func (m *Memory[T]) use(key Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, found := m.entries[key]; found {
		e.used = m.next()
		m.entries[key] = e
	}
}

// The method next counts one more use and returns its number. m.mu must be held.
func (m *Memory[T]) next() int64 {
	m.uses++
	return m.uses
}

// Put stores a value. files is the state of the files just before the value was read. If a file was written so
// recently that its next change might not be noticed, Put stores nothing.
func (m *Memory[T]) Put(key Key, value T, files Stamps, now, until time.Time) {
	if !files.Settled(now) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries == nil {
		m.entries = map[Key]entry[T]{}
	}
	m.drop(key)
	size := 1
	if m.Size != nil {
		size = m.Size(value)
	}
	for m.size+size > MaxSize && len(m.entries) > 0 {
		m.drop(oldest(m.entries, func(e entry[T]) int64 { return e.used }))
	}
	m.entries[key] = entry[T]{value, files, until, size, m.next()}
	m.size += size
}

// Replace stores a newer value in place of an old one. Both must have been read while the files were in the same state.
// If the key no longer has the old value, Replace does nothing.
func (m *Memory[T]) Replace(key Key, old, value T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, found := m.entries[key]
	if !found || e.value != old {
		return
	}
	m.size -= e.size
	if m.Size != nil {
		e.size = m.Size(value)
	}
	e.value = value
	m.entries[key], m.size = e, m.size+e.size
}

// drop removes the value of a key. m.mu must be held.
func (m *Memory[T]) drop(key Key) {
	m.size -= m.entries[key].size
	delete(m.entries, key)
}

// oldest returns the key whose value was not used for the longest time.
func oldest[K comparable, V any](all map[K]V, used func(V) int64) (key K) {
	first := int64(math.MaxInt64)
	for k, v := range all {
		if at := used(v); at < first {
			key, first = k, at
		}
	}
	return key
}

// Clear removes all values.
func (m *Memory[T]) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries, m.size = nil, 0
}

// Watch returns the current state of a project's files and folders. It also remembers this state, and Changed later
// compares the files with it. Call Watch before you read the files.
func (m *Memory[T]) Watch(root string, paths []string) Stamps {
	files := Look(paths...)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.projects == nil {
		m.projects = map[string]project{}
	}
	before, known := m.projects[root]
	if !known && len(m.projects) >= maxProjects {
		delete(m.projects, oldest(m.projects, func(p project) int64 { return p.used }))
	}
	m.projects[root] = project{paths, files, known && (before.changed || !before.files.equal(files)), m.next()}
	return files
}

// Changed reports whether the files of a watched project have changed since they were read or since the last call of
// Changed. It removes the values of changed projects.
func (m *Memory[T]) Changed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	var roots []string
	for root, p := range m.projects {
		if p.changed || !p.files.Unchanged() {
			roots = append(roots, root)
			m.projects[root] = project{paths: p.paths, files: Look(p.paths...), used: p.used}
		}
	}
	for key := range m.entries {
		if slices.Contains(roots, key.Root) {
			m.drop(key)
		}
	}
	return len(roots) > 0
}
