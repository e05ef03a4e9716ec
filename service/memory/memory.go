// Package memory caches what was read from projects until their files change.
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
	// until is when a value becomes invalid even if no file changes, because it did not come from files alone. The
	// zero time means never.
	until time.Time
}

// project records the state of a project's files when they were last read.
type project struct {
	paths []string
	files Stamps
	// changed is set if the files have changed since the last call of Changed.
	changed bool
}

// maxEntries limits the number of values and of projects. When the limit is reached, Memory drops everything.
const maxEntries = 64

// Get returns the value of a key if the files that the value was read from have not changed.
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

// Watch returns the current state of a project's files and folders, and stores it for Changed. Call Watch before you
// read the files.
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
