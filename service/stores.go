package service

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"guardrails/config"
	"guardrails/store/live"
)

// The type "stores" holds the open stores of one or more services. It opens each store only once, even if several
// projects use it.
type stores struct {
	open func(context.Context, *config.Config) (*live.Store, error)
	// The field "saver" saves the guidelines of the stores as the last known good guidelines.
	saver saver

	mu     sync.Mutex
	opened map[string]*live.Store
	closed bool
}

func newStores(open func(context.Context, *config.Config) (*live.Store, error)) *stores {
	if open == nil {
		return nil
	}
	return &stores{open: open, opened: map[string]*live.Store{}}
}

// get() returns the store that the settings name, and opens it if necessary. It returns live.ErrNoStore if the settings
// name no store and there is no default database.
func (s *stores) get(ctx context.Context, c *config.Config) (*live.Store, error) {
	if s == nil {
		return nil, live.ErrNoStore
	}
	key := c.StoreKey()
	s.mu.Lock()
	defer s.mu.Unlock()
	if opened := s.opened[key]; opened != nil {
		return opened, nil
	}
	if s.closed {
		return nil, errors.New("the store is closed")
	}
	opened, err := s.open(ctx, c)
	if err == nil {
		s.opened[key] = opened
	}
	return opened, err
}

func (s *stores) reopen(ctx context.Context) error {
	if s == nil {
		return nil
	}
	var problems []error
	for _, c := range s.openStores() {
		problems = append(problems, c.Reopen(ctx))
	}
	return errors.Join(problems...)
}

// openStores returns the open stores.
func (s *stores) openStores() []*live.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.opened))
}

func (s *stores) close() error {
	if s == nil {
		return nil
	}
	s.saver.wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var problems []error
	for _, c := range s.opened {
		problems = append(problems, c.Close())
	}
	return errors.Join(problems...)
}
