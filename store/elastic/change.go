package elastic

import (
	"context"

	"guardrails/guideline"
	"guardrails/store"
)

// Create adds a guideline.
func (s *Store) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	plan := func(_ context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Create(current, g)
	}
	return s.change(ctx, w, store.KeyOf(&g), "create", []any{g}, plan)
}

// Update replaces a guideline.
func (s *Store) Update(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	plan := func(_ context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Update(current, g)
	}
	return s.change(ctx, w, store.KeyOf(&g), "update", []any{g}, plan)
}

// Toggle enables or disables a guideline.
func (s *Store) Toggle(ctx context.Context, w store.Write, ref store.Ref) (guideline.Guideline, error) {
	plan := func(_ context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Toggle(current, ref)
	}
	return s.change(ctx, w, ref.Key, "toggle", []any{ref}, plan)
}

// Delete removes a guideline.
func (s *Store) Delete(ctx context.Context, w store.Write, ref store.Ref) error {
	plan := func(_ context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Delete(current, ref)
	}
	_, err := s.change(ctx, w, ref.Key, "delete", []any{ref}, plan)
	return err
}

// Restore makes the content of an old version the newest version.
func (s *Store) Restore(ctx context.Context, w store.Write, ref store.Ref, version int) (guideline.Guideline, error) {
	plan := func(ctx context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		old, err := s.revision(ctx, w.Tenant, ref.Key, version)
		if err != nil {
			return store.Change{}, err
		}
		return p.Restore(current, ref, version, old.revision())
	}
	return s.change(ctx, w, ref.Key, "restore", []any{ref, version}, plan)
}

// planFunc plans a change of one guideline. The parameter "current" is the newest revision of the guideline, or nil if
// there is none.
type planFunc func(ctx context.Context, p store.Planner, current *store.Revision) (store.Change, error)

// change() calls plan() to plan a change of one guideline, and stores the change.
func (s *Store) change(
	ctx context.Context, w store.Write, id, operation string, arguments []any, plan planFunc,
) (guideline.Guideline, error) {
	r, err := newRequest(w, operation, arguments, []string{id})
	if err != nil {
		return guideline.Guideline{}, err
	}
	r.plan = func(
		ctx context.Context, p store.Planner, newest func(key string) *store.Revision,
	) ([]store.Change, store.ImportResult, error) {
		c, err := plan(ctx, p, newest(id))
		items := []store.ImportItem{{ID: id, Version: c.Revision.Guideline.Version}}
		return []store.Change{c}, store.ImportResult{Items: items, Applied: true}, err
	}
	if _, err := s.submit(ctx, r); err != nil {
		return guideline.Guideline{}, err
	}
	return r.guideline, nil
}

// revision() returns k in the form that a Planner uses. If k is nil, the result is nil.
func (k *storedRevision) revision() *store.Revision {
	if k == nil {
		return nil
	}
	return &k.Revision
}

// Import adds or updates guidelines.
func (s *Store) Import(
	ctx context.Context, w store.Write, items []guideline.Guideline, options store.ImportOptions,
) (store.ImportResult, error) {
	if err := options.Validate(); err != nil {
		return store.ImportResult{}, err
	}
	if options.DryRun {
		return s.dryRun(ctx, w, items, options)
	}
	r, err := newRequest(w, "import", []any{items, options}, keysOf(items))
	if err != nil {
		return store.ImportResult{}, err
	}
	r.plan = func(
		_ context.Context, p store.Planner, newest func(key string) *store.Revision,
	) ([]store.Change, store.ImportResult, error) {
		return p.Import(neverFailing(newest), items, options)
	}
	finished, err := s.submit(ctx, r)
	if !finished {
		return store.ImportResult{}, err
	}
	if err != nil {
		r.result.Applied = false
	}
	return r.result, err
}

func neverFailing(newest func(key string) *store.Revision) func(key string) (*store.Revision, error) {
	return func(key string) (*store.Revision, error) { return newest(key), nil }
}

// dryRun returns the result that an import would have.
func (s *Store) dryRun(
	ctx context.Context, w store.Write, items []guideline.Guideline, options store.ImportOptions,
) (store.ImportResult, error) {
	if err := w.Validate(); err != nil {
		return store.ImportResult{}, err
	}
	return read(ctx, s, w.Tenant, func(ctx context.Context, j *journal) (store.ImportResult, error) {
		before, err := s.newest(ctx, j, keysOf(items)...)
		if err != nil {
			return store.ImportResult{}, err
		}
		newest := func(key string) *store.Revision { return before[key].revision() }
		_, result, err := store.Planner{Write: w, Now: s.now()}.Import(neverFailing(newest), items, options)
		return result, err
	})
}

// keysOf returns the keys of guidelines. Each key is in the result only once.
func keysOf(items []guideline.Guideline) []string {
	seen, keys := map[string]bool{}, []string{}
	for i := range items {
		if key := store.KeyOf(&items[i]); !seen[key] {
			seen[key], keys = true, append(keys, key)
		}
	}
	return keys
}
