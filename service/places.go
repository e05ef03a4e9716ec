package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/store/live"
)

// places are the stores that services have open, each once however many projects name it.
type places struct {
	open func(context.Context, *config.Config) (*live.Catalog, error)

	mu   sync.Mutex
	kept map[string]*live.Catalog
	// none is until when there is believed to be no store, which costs a look at the disk to know.
	none   map[string]time.Time
	closed bool
}

// noneAge is for how long it is believed that there is no store.
const noneAge = 200 * time.Millisecond

func newPlaces(open func(context.Context, *config.Config) (*live.Catalog, error)) *places {
	if open == nil {
		return nil
	}
	return &places{open: open, kept: map[string]*live.Catalog{}, none: map[string]time.Time{}}
}

// catalog gives the store that settings name; the error is live.ErrNone where they name none and none was made.
func (p *places) catalog(ctx context.Context, c *config.Config) (*live.Catalog, error) {
	if p == nil {
		return nil, live.ErrNone
	}
	key := placeKey(c)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.kept[key] != nil:
		return p.kept[key], nil
	case p.closed:
		return nil, errors.New("the store is closed")
	case time.Now().Before(p.none[key]):
		return nil, live.ErrNone
	}
	made, err := p.open(ctx, c)
	switch {
	case errors.Is(err, live.ErrNone):
		p.none[key] = time.Now().Add(noneAge)
	case err == nil:
		p.kept[key] = made
	}
	return made, err
}

// placeKey tells stores apart; settings that name none mean one and the same.
func placeKey(c *config.Config) string {
	if c.Store == nil {
		return ""
	}
	return fmt.Sprintf("%+v", *c.Store)
}

// reopen opens every store anew.
func (p *places) reopen(ctx context.Context) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	kept := slices.Collect(maps.Values(p.kept))
	p.mu.Unlock()
	var problems []error
	for _, c := range kept {
		problems = append(problems, c.Reopen(ctx))
	}
	return errors.Join(problems...)
}

func (p *places) close() error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	var problems []error
	for _, c := range p.kept {
		problems = append(problems, c.Close())
	}
	return errors.Join(problems...)
}
