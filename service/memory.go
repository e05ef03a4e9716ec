package service

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"guardrails/config"
	"guardrails/internal/product"
)

// memory holds what was read of projects, for a process that is asked more than once. What stands in it is true as long
// as the files that it was read from are what they were, and the store says that it is.
type memory struct {
	mu    sync.Mutex
	known map[string]*remembered
	began time.Time
	// watched are the files of those projects.
	watched watch
	// begins is where the project begins that the service runs in.
	begins atomic.Pointer[beginning]
}

// beginning is the root of a project, and when it was looked for.
type beginning struct {
	root   string
	looked int64
}

// passed is the time that has passed while this process ran.
func (m *memory) passed() int64 { return int64(time.Since(m.began)) }

// remembered is what holds in one project, as one tenant and environment see it.
type remembered struct {
	held    *held
	stamps  []stamp
	answers answers
	// until bounds what came from a server, whose changes no file tells.
	until time.Time
	// saved is set once the guidelines lie in a file as the last known good ones.
	saved atomic.Bool
	// looked is when the files were last looked at, kept when what belongs to an answer for a hook was last done; both in
	// the time that passes while this process runs.
	looked, kept atomic.Int64
}

// glance is how long after a look at the files of a project its questions are answered without another look.
const glance = 20 * time.Millisecond

// maxRemembered bounds how many projects are held; one more, and the first ones are read anew.
const maxRemembered = 64

// serverAge is for how long the answer of another server is believed.
const serverAge = 2 * time.Second

// recall is what is known under a key, if it still is as it was read.
func (s *Service) recall(ctx context.Context, key string) *remembered {
	r := s.memory.get(key)
	if r == nil || !r.until.IsZero() && !s.now().Before(r.until) || !s.current(ctx, &r.held.settings, r.held.store) {
		return nil
	}
	if s.memory.recent(&r.looked, s.glance) {
		return r
	}
	if !unchanged(r.stamps) {
		return nil
	}
	r.looked.Store(s.memory.passed())
	return r
}

// recent reports whether something was done a moment ago.
func (m *memory) recent(at *atomic.Int64, moment time.Duration) bool {
	then := at.Load()
	return then > 0 && m.passed()-then < int64(moment)
}

// ownRoot is the root of the project that the service runs in.
func (s *Service) ownRoot() string {
	if s.memory == nil || s.env(product.VariableProject) != "" {
		return Root(s.env, s.dir)
	}
	now := s.memory.passed()
	if b := s.memory.begins.Load(); b != nil && now-b.looked < int64(s.glance) {
		return b.root
	}
	root := Root(s.env, s.dir)
	s.memory.begins.Store(&beginning{root, now})
	return root
}

func (m *memory) get(key string) *remembered {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[key]
}

// remember keeps what was read between a look at the files and now.
func (m *memory) remember(key string, h *held, before []stamp, now time.Time) *remembered {
	r := &remembered{held: h, stamps: before}
	if m == nil || !settled(before, now) {
		return r
	}
	if h.settings.Server != nil {
		r.until = now.Add(serverAge)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= maxRemembered || m.known == nil {
		m.known = map[string]*remembered{}
	}
	m.known[key] = r
	return r
}

// Forget makes the service read everything anew.
func (s *Service) Forget() {
	if s.memory == nil {
		return
	}
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	s.memory.known = nil
}

// memoryKey tells apart what depends on more than the files.
func (s *Service) memoryKey(root string, r *Request) string {
	kind := "all"
	if r.Definitions {
		kind = "own"
	}
	if r.bound {
		kind += " of a tenant"
	}
	return strings.Join(slices.Concat([]string{root, r.TenantID, kind, s.env(product.VariableHome)}, config.Overrides(s.env)), "\x00")
}
