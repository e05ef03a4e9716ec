package service

import (
	"context"
	"errors"
	"fmt"

	"guardrails/config"
	"guardrails/rules"
	"guardrails/store/live"
)

// taken is what a project has from its store.
type taken struct {
	sources []rules.Source
	// from is the store; nil where there is none. Its guidelines are of the tenant and the generation.
	from       *live.Catalog
	generation int64
}

// away is the error that a project's store is away.
type away struct{ error }

// Unwrap gives the cause.
func (a *away) Unwrap() error { return a.error }

// fromStore gives the guidelines that the project's store has for its tenant; none where there is no store. The error is
// that the store is away.
func (s *Service) fromStore(ctx context.Context, root string, r *Request, c *config.Config) (*taken, error) {
	t, err := s.take(ctx, root, r, c)
	if err != nil {
		return nil, &away{err}
	}
	return t, nil
}

func (s *Service) take(ctx context.Context, root string, r *Request, c *config.Config) (*taken, error) {
	if s.places == nil {
		return &taken{}, nil
	}
	from, err := s.places.catalog(ctx, c)
	if errors.Is(err, live.ErrNone) {
		return &taken{}, s.missed(root, r)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	seen := s.sighting(from, c) // before the store is read: whoever noted it had seen that much
	v, err := s.view(ctx, from, c.Tenant)
	if err == nil {
		err = s.shrunk(ctx, from, c, seen, v.Generation)
	}
	if err != nil {
		return nil, err
	}
	t := &taken{from: from, generation: v.Generation}
	for i := range v.Guidelines {
		t.sources = append(t.sources, rules.Source{Guideline: v.Guidelines[i], Origin: rules.Origin{File: from.Place()}})
	}
	return t, nil
}

// view is what a store has now. Who asks once reads it once; who asks again and again has it in memory.
func (s *Service) view(ctx context.Context, from *live.Catalog, tenant string) (live.View, error) {
	if s.memory == nil {
		set, err := from.For(live.Who{Tenant: tenant}).All(ctx)
		return live.View{Guidelines: set.Guidelines, Generation: set.Generation}, err
	}
	v, err := from.View(ctx, tenant)
	if err == nil {
		err = v.Err
	}
	return v, err
}

// missed is the error of a project that had guidelines from the database that nobody has to name, and that is gone: without
// it a file that is removed would take the guidelines with it.
func (s *Service) missed(root string, r *Request) error {
	last, err := s.readSnapshot(root, r)
	if err != nil || last.settings.Database == "" {
		return nil
	}
	return fmt.Errorf("the database %s, in which guidelines of this project were, is gone; put it back, or make a new one by guardrails init", last.settings.Database)
}

// current reports whether what was taken is still what the store has.
func (s *Service) current(ctx context.Context, c *config.Config, t *taken) bool {
	if c.Server != nil {
		return true
	}
	from, err := s.places.catalog(ctx, c)
	if errors.Is(err, live.ErrNone) {
		return t.from == nil
	}
	if err != nil || from != t.from {
		return false
	}
	v, err := s.view(ctx, from, c.Tenant)
	return err == nil && v.Generation == t.generation
}

// Store is the store of a project and the tenant whose guidelines the project has in it. An empty project is the one that
// the service runs in. The error is live.ErrNone where there is none.
func (s *Service) Store(ctx context.Context, project string) (*live.Catalog, string, error) {
	from, c, err := s.storeOf(ctx, project)
	return from, c.Tenant, err
}

// storeOf is the store of a project, and the settings that name it.
func (s *Service) storeOf(ctx context.Context, project string) (*live.Catalog, *config.Config, error) {
	r := Request{Project: project}
	root, err := s.root(&r)
	if err != nil {
		return nil, &config.Config{}, err
	}
	c, problems := config.Load(root, s.env)
	if err := problems.Err(); err != nil {
		return nil, &config.Config{}, err
	}
	from, err := s.places.catalog(ctx, &c)
	return from, &c, err
}

// Reopen opens the stores anew that this service and those beside it have open, with new secrets.
func (s *Service) Reopen(ctx context.Context) error { return s.places.reopen(ctx) }

// Close lets go of the stores that this service and those beside it have open.
func (s *Service) Close() error { return s.places.close() }
