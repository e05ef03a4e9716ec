// Package memory caches what was read from projects until their files change.
//
// Start with Memory. Stamps describe how files looked.
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

// Memory holds values by key. Several goroutines may use it at once; the zero value is ready to use.
type Memory[T any] struct {
	mu       sync.Mutex
	entries  map[Key]entry[T]
	projects map[string]project
}

type entry[T any] struct {
	value T
	files Stamps
	// until limits the validity of a value that does not come from files alone; zero means no limit.
	until time.Time
}

// project describes the files of a project when they were last read.
type project struct {
	paths []string
	files Stamps
	// changed is set if the files have changed and Changed has not reported it yet.
	changed bool
}

// maxEntries limits how many values and how many projects are kept. When the limit is reached, everything is dropped
// and read again.
const maxEntries = 64

// Get returns the value of a key if the files that it was read from have not changed.
func (m *Memory[T]) Get(key Key, now time.Time) (value T, ok bool) {
	m.mu.Lock()
	e, found := m.entries[key]
	m.mu.Unlock()
	if !found || !e.until.IsZero() && !now.Before(e.until) || !e.files.unchanged() {
		return value, false
	}
	return e.value, true
}

// Put keeps a value. The stamps describe the files just before the value was read. Put keeps nothing if the files were
// written so recently that their next change might go unnoticed.
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

// Watch returns how the files and folders of a project look, and records it for Changed. Call it before they are read.
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

// Changed reports whether files of a watched project have changed since they were read or since the last call. It
// removes the values of these projects.
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
