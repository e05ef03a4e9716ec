package service

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"guardrails/hooks/session"
)

// watch is how the files of projects looked when their guidelines were last read.
type watch struct {
	mu       sync.Mutex
	projects map[string]*watched
}

// watched are the files of a project.
type watched struct {
	files []stamp
	// others is set when they were read again, because they became others, before sessions were told.
	others bool
}

// of keeps how a project's files look that are about to be read. Those that cannot be watched are nil.
func (w *watch) of(root string, files []stamp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.projects == nil || len(w.projects) >= maxRemembered {
		w.projects = map[string]*watched{}
	}
	before := w.projects[root]
	w.projects[root] = &watched{files, before != nil && (before.others || !alike(before.files, files))}
}

// changed are the projects whose files became others since they were read; each is told once.
func (w *watch) changed() (roots []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for root, p := range w.projects {
		if p.others || !unchanged(p.files) {
			roots, w.projects[root] = append(roots, root), &watched{files: stampsOf(root)}
		}
	}
	return roots
}

// alike reports whether files looked the same at two times.
func alike(one, other []stamp) bool {
	return slices.EqualFunc(one, other, func(a, b stamp) bool { return a.path == b.path && a.same(b.info) })
}

// Watch looks at the files of the project that the service runs in, and of those that were asked about, until the context
// ends. Sessions ask anew when some became others.
func (s *Service) Watch(ctx context.Context) {
	// A session that began before this server did has asked the command line.
	root := Root(s.env, s.dir)
	s.memory.watched.of(root, stampsOf(root))
	tick := time.NewTicker(turnEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.tellOfFiles()
		}
	}
}

// tellOfFiles has sessions ask anew when files of their project became others, once they would be answered by these.
func (s *Service) tellOfFiles() {
	roots := s.memory.watched.changed()
	for _, root := range roots {
		s.memory.forget(root)
	}
	if len(roots) > 0 {
		session.SignChange(s.env)
	}
}

// forget drops what is known of a project.
func (m *memory) forget(root string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key := range m.known {
		if strings.HasPrefix(key, root+"\x00") {
			delete(m.known, key)
		}
	}
}
