package store

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
)

// A command changes the project's part of the store or the part for all projects. The function adopt() makes sure that
// a guideline is in the part that the command changes. If the guideline belongs to all projects or to a pack, adopt()
// copies it into that part. If the guideline is in a file, adopt() returns an error.
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

// copyForProject gives the project its own copy of a guideline that belongs to all projects.
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

// editable() returns an error if the guideline in force comes from a file or from managed settings. The error says what
// the person must edit instead.
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

// findInForce looks for an id, and then for an alias, among the guidelines in force. It returns nil if it finds no
// guideline.
func findInForce(a *app.App, c *cobra.Command, id string) (*service.InForce, error) {
	all, err := inForce(a, c)
	if err != nil {
		return nil, err
	}
	return service.FindInForce(all, id), nil
}

// readable() returns the part of the store that contains the given guideline. It looks first in the project's part, and
// then in the part for all projects.
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
