// Package apply creates or updates guidelines in a store, as the command "guardrails apply" does with the guidelines in
// a file.
package apply

import (
	"context"
	"errors"
	"fmt"

	"guardrails/guideline"
	"guardrails/service/packcopies"
	"guardrails/store"
	"guardrails/store/live"
)

// Guidelines is a function that creates or updates guidelines in a store. It first checks all of them, and changes
// nothing if one check fails. A guideline passes its check if the store has the guideline with the same content or the
// same version, or if the guideline is new and has no version. If the parameter "force" is set, every guideline passes
// its check.
func Guidelines(
	ctx context.Context, s *live.TenantStore, wanted []guideline.Guideline, force bool,
) (*store.ImportResult, error) {
	result := &store.ImportResult{}
	for i := range wanted {
		item, err := plan(ctx, s, &wanted[i], force)
		if err != nil {
			return nil, err
		}
		result.Items = append(result.Items, item)
	}
	if result.Count(store.ItemFailed) > 0 {
		return result, nil
	}
	result.Applied = true
	for i := range wanted {
		err := carryOut(ctx, s, &wanted[i], &result.Items[i])
		if err != nil && store.CodeOf(err) != store.Conflict {
			return nil, fmt.Errorf("%w (%d of %d guidelines were already applied)", err, i, len(wanted))
		}
	}
	return result, nil
}

// plan() decides what the function Guidelines will do with a guideline: create it, update it, leave it unchanged, or
// fail. It sets g.Version to the version in the store.
func plan(ctx context.Context, s *live.TenantStore, g *guideline.Guideline, force bool) (store.ImportItem, error) {
	item := store.ImportItem{ID: g.ID, ProjectID: s.ProjectID(), Outcome: store.ItemUpdated}
	current, err := s.Get(ctx, g.ID)
	if store.CodeOf(err) == store.NotFound {
		item.Outcome = store.ItemCreated
		other, ok := errors.AsType[*live.OtherProjectError](err)
		if ok && other.ForAll() && g.Version > 0 && !force {
			refuseItem(&item, store.NotFound, "belongs to all projects; pass --all-projects to change it for all of them, "+
				"or remove the version from the file to create it for this project")
		} else if g.Version > 0 && !force {
			refuseItem(&item, store.NotFound,
				"version %d is no longer in the store; remove the version from the file to create the guideline again",
				g.Version)
		}
		return item, nil
	}
	if err != nil {
		return item, err
	}
	same, err := store.SameContent(&current, g)
	item.Version = current.Version
	switch {
	case err != nil || same:
		item.Outcome = store.ItemUnchanged
	case force, g.Version == current.Version:
	case g.Version == 0:
		refuseItem(&item, store.Conflict,
			"already exists; read it (guardrails get %s), then add version: %d to the file, or pass --force",
			g.ID, current.Version)
	default:
		refuseItem(&item, store.Conflict,
			"has version %d in the store, but the file has version %d; read it again (guardrails get %s)",
			current.Version, g.Version, g.ID)
	}
	g.Version = current.Version
	return item, err
}

func refuseItem(item *store.ImportItem, code store.Code, format string, args ...any) {
	item.Outcome, item.Code, item.Message = store.ItemFailed, code, fmt.Sprintf(format, args...)
}

// carryOut makes the change that plan() has chosen. It fails if the guideline in the store has changed since plan()
// read it.
func carryOut(ctx context.Context, s *live.TenantStore, g *guideline.Guideline, item *store.ImportItem) error {
	change := s.Update
	switch item.Outcome {
	case store.ItemUnchanged:
		return nil
	case store.ItemCreated:
		change = func(ctx context.Context, g guideline.Guideline) (guideline.Guideline, error) {
			return packcopies.Add(ctx, s, g)
		}
	}
	changed, err := change(ctx, *g)
	if err != nil {
		refuseItem(item, store.CodeOf(err), "%v", err)
		return err
	}
	item.Version = changed.Version
	return nil
}
