package live

import (
	"context"
	"slices"

	"guardrails/guideline"
	"guardrails/store"
)

// byName calls f with id. If no guideline has this id, it calls f with the id of the guideline that has it as an alias.
func byName[T any](ctx context.Context, t *TenantStore, id string, f func(id string) (T, error)) (T, error) {
	value, err := f(id)
	if store.CodeOf(err) != store.NotFound {
		return value, err
	}
	set, failed := t.All(ctx)
	if failed != nil {
		return value, err
	}
	hasAlias := func(g guideline.Guideline) bool { return slices.Contains(g.Aliases(), id) }
	if i := slices.IndexFunc(set.Guidelines, hasAlias); i >= 0 {
		return f(set.Guidelines[i].ID)
	}
	return value, err
}

// changeNamed makes a change of the guideline that a reference names by id or alias.
func (t *TenantStore) changeNamed(
	ctx context.Context, ref store.Ref, f func(store.Store, store.Write, store.Ref) (guideline.Guideline, error),
) (guideline.Guideline, error) {
	return byName(ctx, t, ref.ID, func(id string) (guideline.Guideline, error) {
		return t.change(ctx, func(s store.Store, w store.Write) (guideline.Guideline, error) {
			return f(s, w, store.Ref{ID: id, Version: ref.Version})
		})
	})
}
