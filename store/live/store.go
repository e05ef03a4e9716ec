// Package live manages the store of a running process. It opens the store for the first call that needs it, and again
// after the store was replaced. It keeps the guidelines of each tenant in memory, updates them after every change, and
// notifies listeners of events.
//
// Start with Store. connection.go opens the store, snapshot.go keeps the guidelines in memory, tenant.go has the calls
// for one tenant, and events.go notifies listeners.
package live

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"guardrails/store"
	"guardrails/store/notedheads"
)

// ErrNoStore is returned when no store is configured and the default store does not exist.
var ErrNoStore = errors.New("there is no store yet; run guardrails init to create one")

// Options configure a Store.
type Options struct {
	// Open opens the underlying store. Open is called in three cases: the first call needs the store, Reopen is called, or
	// the open store has disappeared.
	Open func(context.Context) (store.Store, error)
	// Location tells people where the store is. It contains no user names, passwords or keys.
	Location string
	// Now returns the current time.
	Now func() time.Time
	// The function Mask hides secrets in the text of audit entries. If Mask is nil, nothing is hidden.
	Mask func(string) string
	// Changed is called after the guidelines changed, and after the store became unavailable or available again.
	// Snapshots show the new state before Changed is called. Changed may be nil.
	Changed func()
	// Memory is how much memory the guidelines of all tenants may take, in bytes. If the guidelines take more memory, the
	// tenants that have been unused for the longest time are removed from memory. The default is 512 MB.
	Memory int64
	// Notes has notes of the heads of the audit, outside of the store. If Notes is nil, no heads are noted.
	Notes *notedheads.Book
}

// Store opens a store, keeps its guidelines in memory, and notifies listeners. It is safe for concurrent use.
type Store struct {
	conn     *connection
	location string
	now      func() time.Time
	mask     func(string) string
	changed  func()
	notes    *notedheads.Book
	// The field "started" is the time from which caches measure elapsed time.
	started time.Time
	// The text in the field "run" is a part of the ids of events. Each process has a different text.
	run string

	// The field "memory" is how much memory the guidelines of all tenants may take.
	memory int64

	mu     sync.Mutex
	caches map[string]*cache
	// The map "evicted" has the generation that each tenant had when it was removed from memory.
	evicted map[string]int64
	topics  map[string]*topic
	// The field "numbered" is the highest number of an event in a removed topic. New topics use only higher numbers, so
	// that no id is used twice.
	numbered  int64
	guard     func(ctx context.Context, tenant string) error
	observers []func(Event)
	// The map "touched" has the tenants whose heads must be noted, because this process has written to these tenants since
	// it last noted their heads.
	touched map[string]bool
	// The field "polling" counts the running goroutines that read the underlying store in the background. With the field
	// pollOnce, the Store begins to poll only once, when the first tenant is used.
	polling  sync.WaitGroup
	pollOnce sync.Once
	// The context in the field "ctx" is canceled when the Store is closed. This stops all background work.
	ctx    context.Context
	cancel context.CancelFunc
}

// New returns a Store. The caller must close it. Close also closes the underlying store.
func New(o Options) *Store {
	s := &Store{
		conn: newConnection(o.Open), location: o.Location, now: o.Now, mask: o.Mask, changed: o.Changed, started: time.Now(),
		caches: map[string]*cache{}, evicted: map[string]int64{}, memory: cmp.Or(o.Memory, maxMemory),
		topics: map[string]*topic{}, run: store.NewID(time.Now()),
		notes: o.Notes, touched: map[string]bool{},
	}
	if s.mask == nil {
		s.mask = func(text string) string { return text }
	}
	if s.changed == nil {
		s.changed = func() {}
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Opened returns a function for Options.Open that always returns s, a store that is already open.
func Opened(s store.Store) func(context.Context) (store.Store, error) {
	return func(context.Context) (store.Store, error) { return s, nil }
}

// Location returns a text that tells people where the store is.
func (s *Store) Location() string { return s.location }

// Reopen opens the store again, with the passwords and keys that are now in its files. If opening fails, the current
// store stays in use.
func (s *Store) Reopen(ctx context.Context) error { return s.conn.reopen(ctx) }

// Guard makes the store call check() before every change of guidelines, endpoints or the audit. If check() returns an
// error, the change does not happen. Loading a dump is always allowed, because it restores what was lost.
func (s *Store) Guard(check func(ctx context.Context, tenant string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guard = check
}

// mayChange returns an error if a guard refuses changes.
func (s *Store) mayChange(ctx context.Context, tenant string) error {
	s.mu.Lock()
	check := s.guard
	s.mu.Unlock()
	if check == nil {
		return nil
	}
	return check(ctx, tenant)
}

// Writable returns an error if a tenant of the store cannot be changed now.
func (s *Store) Writable(ctx context.Context, tenant string) error {
	if err := s.mayChange(ctx, tenant); err != nil {
		return err
	}
	caller := holder{tenant: tenant}
	_, err := call(ctx, s.conn, s.conn.writes, caller, func(to store.Store, _ int64) (struct{}, error) {
		return struct{}{}, to.Writable(ctx, tenant)
	})
	return err
}

// Time returns the time of the store's computers. If the store is on this computer, the result "known" is false.
func (s *Store) Time(ctx context.Context) (at time.Time, known bool, err error) {
	at, err = readStore(ctx, s.For(Caller{}), func(from store.Store) (time.Time, error) {
		clock, is := from.(store.Clock)
		if known = is; !is {
			return time.Time{}, nil
		}
		return clock.Time(ctx)
	})
	return at, known && err == nil, err
}

// Close stops all background work and closes the store. Closing twice is not an error.
func (s *Store) Close() error {
	s.mu.Lock()
	s.cancel()
	s.mu.Unlock()
	s.polling.Wait()
	s.noteLast()
	return s.conn.close()
}
