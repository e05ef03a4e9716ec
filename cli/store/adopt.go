package store

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
)

// adopt makes sure that the store has a guideline for those whom the command is about, so that it can be changed there.
// A guideline of all projects and one of a pack are copied. One that is in a file cannot be changed in the store.
func (s *projectStore) adopt(ctx context.Context, a *app.App, c *cobra.Command, id string) error {
	if err := editable(a, c, id); err != nil {
		return err
	}
	_, err := s.Get(ctx, id)
	if store.CodeOf(err) != store.NotFound {
		return err
	}
	if other, ok := errors.AsType[*live.OtherProjectError](err); ok && other.ForAll() {
		return s.copyForProject(ctx, id)
	}
	return s.takeFromPack(ctx, a, id)
}

// copyForProject copies a guideline of all projects, so that the project has its own.
func (s *projectStore) copyForProject(ctx context.Context, id string) error {
	g, err := s.OfProject("").Get(ctx, id)
	if err != nil {
		return err
	}
	if g.Locked {
		return store.Errorf(store.Conflict,
			"the guideline %s is locked for all projects, so a project cannot change it", g.ID)
	}
	_, err = s.Create(ctx, g)
	return err
}

// editable returns an error that says what to edit if the guideline in force is not one of the store or of a pack.
func editable(a *app.App, c *cobra.Command, id string) error {
	g, err := findInForce(a, c, id)
	if err != nil || g == nil {
		return err
	}
	p := &g.Origin
	if p.Layer != config.Managed && (p.Kind == service.PlaceStore || p.Kind == service.PlacePack) {
		return nil
	}
	return app.Failf("%s: %s is not in the store but in %s; %s", c.CommandPath(), g.ID, describe(p), p.Remedy())
}

// findInForce returns the guideline in force with an id or an alias, or nil.
func findInForce(a *app.App, c *cobra.Command, id string) (*service.InForce, error) {
	all, err := inForce(a, c)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(g service.InForce) bool { return g.ID == id })
	if i < 0 {
		i = slices.IndexFunc(all, func(g service.InForce) bool { return slices.Contains(g.Aliases(), id) })
	}
	if i < 0 {
		return nil, nil
	}
	return &all[i], nil
}

// readable returns the part of the store that has a guideline: the project's, or else that of all projects.
func (s *projectStore) readable(ctx context.Context, id string) *live.TenantStore {
	_, err := s.History(ctx, id, store.Paging{Page: 1, Size: 1})
	if store.CodeOf(err) != store.NotFound {
		return s.TenantStore
	}
	if _, err := s.OfProject("").History(ctx, id, store.Paging{Page: 1, Size: 1}); err == nil {
		return s.OfProject("")
	}
	return s.TenantStore
}
