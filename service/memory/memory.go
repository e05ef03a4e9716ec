// Package memory caches values that were read from the files of projects, until the files change.
//
// Start with Memory. Stamps records the state of files.
package memory

import (
	"slices"
	"sync"
	"time"
)

// Key identifies one value that was read from a project.
type Key struct {
	// Root is the project's root folder.
	Root string
	// View distinguishes values of one project, such as those of different tenants.
	View string
}

// Memory caches values by key. It is safe for concurrent use. The zero value is ready to use.
type Memory[T any] struct {
	mu       sync.Mutex
	entries  map[Key]entry[T]
	projects map[string]project
}

type entry[T any] struct {
	value T
	files Stamps
	// until is the time after which the value is invalid even if no file has changed. It is set for a value that did
	// not come from files alone. The zero time means no limit.
	until time.Time
}

type project struct {
	paths []string
	files Stamps
	// changed is set if the files changed before the last call of Watch, and Changed has not reported it yet.
	changed bool
}

// maxEntries limits the number of values and of projects. When the limit is reached, Memory drops everything.
const maxEntries = 64

// Get returns the value of a key. ok is false if there is none, if it has expired, or if a file that it was read from
// has changed.
func (m *Memory[T]) Get(key Key, now time.Time) (value T, ok bool) {
	m.mu.Lock()
	e, found := m.entries[key]
	m.mu.Unlock()
	if !found || !e.until.IsZero() && !now.Before(e.until) || !e.files.unchanged() {
		return value, false
	}
	return e.value, true
}

// Put stores a value. files is the state of the files just before the value was read. If a file was written so
// recently that its next change might not be noticed, Put stores nothing.
func (m *Memory[T]) Put(key Key, value T, files Stamps, now, until time.Time) {
	if !files.settled(now) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries == nil || len(m.entries) >= maxEntries {
		m.entries = map[Key]entry[T]{}
	}
	m.entries[key] = entry[T]{value, files, until}
}

// Clear removes all values.
func (m *Memory[T]) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries = nil
}

// Watch returns the current state of a project's files and folders. It also remembers this state, with which Changed
// later compares the files. Call Watch before you read the files.
func (m *Memory[T]) Watch(root string, paths []string) Stamps {
	files := Look(paths...)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.projects == nil || len(m.projects) >= maxEntries {
		m.projects = map[string]project{}
	}
	before, known := m.projects[root]
	m.projects[root] = project{paths, files, known && (before.changed || !before.files.equal(files))}
	return files
}

// Changed reports whether the files of a watched project have changed since they were read or since the last call of
// Changed. It removes the values of changed projects.
func (m *Memory[T]) Changed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	var roots []string
	for root, p := range m.projects {
		if p.changed || !p.files.unchanged() {
			roots = append(roots, root)
			m.projects[root] = project{paths: p.paths, files: Look(p.paths...)}
		}
	}
	for key := range m.entries {
		if slices.Contains(roots, key.Root) {
			delete(m.entries, key)
		}
	}
	return len(roots) > 0
}
