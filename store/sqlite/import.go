package sqlite

import (
	"context"

	"guardrails/guideline"
	"guardrails/store"
)

// Import takes in guidelines.
func (s *Store) Import(ctx context.Context, w store.Write, items []guideline.Guideline, how store.ImportOptions) (store.ImportResult, error) {
	if err := how.Validate(); err != nil {
		return store.ImportResult{}, err
	}
	if how.DryRun {
		return s.tryImport(ctx, w, items, how)
	}
	var result store.ImportResult
	err := s.once(ctx, w, "import", []any{items, how}, func(t *tx, p store.Planner) (store.ImportResult, error) {
		changes, planned, err := p.Import(func(id string) (*store.Revision, error) { return t.newest(w.Tenant, id) }, items, how)
		result = planned
		if err != nil {
			return planned, err
		}
		return planned, t.apply(changes)
	}, func(_ *tx, earlier store.ImportResult) error {
		result = earlier
		return nil
	})
	if err != nil {
		result.Applied = false
	}
	return result, err
}

// tryImport says what an import would do.
func (s *Store) tryImport(ctx context.Context, w store.Write, items []guideline.Guideline, how store.ImportOptions) (result store.ImportResult, err error) {
	if err := w.Validate(); err != nil {
		return result, err
	}
	err = s.read(ctx, w.Tenant, func(v *view) error {
		newest := func(id string) (*store.Revision, error) {
			return one(s, v.QueryRowContext(ctx, newestRevision, v.tenant, id).Scan)
		}
		_, result, err = store.Planner{Write: w, Now: s.now()}.Import(newest, items, how)
		return err
	})
	return result, err
}
