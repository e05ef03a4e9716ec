package live

import (
	"context"
	"slices"

	"guardrails/guideline"
	"guardrails/store"
)

// byName calls f with the key of a guideline in the caller's project. The parameter "id" is the id or an alias of this
// guideline. First, byName assumes that it is the id. If f finds no guideline with the resulting key, byName looks for
// a guideline with this alias, and calls f with the key of that guideline.
func byName[T any](ctx context.Context, t *TenantStore, id string, f func(key string) (T, error)) (T, error) {
	value, err := f(store.Key(t.caller.ProjectID, id))
	if store.CodeOf(err) != store.NotFound {
		return value, err
	}
	set, failed := t.All(ctx)
	if failed != nil {
		return value, err
	}
	hasAlias := func(g guideline.Guideline) bool {
		return g.ProjectID == t.caller.ProjectID && slices.Contains(g.Aliases(), id)
	}
	if i := slices.IndexFunc(set.Guidelines, hasAlias); i >= 0 {
		return f(store.KeyOf(&set.Guidelines[i]))
	}
	return value, t.elsewhere(set.Guidelines, id, err)
}

// changeNamed calls f to change the guideline that has the id or alias in ref.
func (t *TenantStore) changeNamed(
	ctx context.Context, ref Ref, f func(store.Store, store.Write, store.Ref) (guideline.Guideline, error),
) (guideline.Guideline, error) {
	return byName(ctx, t, ref.ID, func(key string) (guideline.Guideline, error) {
		return t.change(ctx, func(s store.Store, w store.Write) (guideline.Guideline, error) {
			return f(s, w, store.Ref{Key: key, Version: ref.Version})
		})
	})
}
