package elastic

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
	plan := func(ctx context.Context, j *journal, p store.Planner) (c changes, err error) {
		if c.before, err = s.newest(ctx, j, idsOf(items)...); err != nil {
			return c, err
		}
		newest := func(id string) (*store.Revision, error) { return c.before[id].revision(), nil }
		c.list, c.result, err = p.Import(newest, items, how)
		return c, err
	}
	if how.DryRun {
		return s.tryImport(ctx, w, plan)
	}
	made, err := s.make(ctx, w, "import", []any{items, how}, plan)
	if err != nil {
		made.result.Applied = false
	}
	return made.result, err
}

// tryImport says what an import would do.
func (s *Store) tryImport(ctx context.Context, w store.Write, plan func(context.Context, *journal, store.Planner) (changes, error)) (store.ImportResult, error) {
	if err := w.Validate(); err != nil {
		return store.ImportResult{}, err
	}
	return read(ctx, s, w.Tenant, func(j *journal) (store.ImportResult, error) {
		c, err := plan(ctx, j, store.Planner{Write: w, Now: s.now()})
		return c.result, err
	})
}

// idsOf are the ids of guidelines, each once.
func idsOf(items []guideline.Guideline) []string {
	seen, ids := map[string]bool{}, []string{}
	for i := range items {
		if id := items[i].ID; !seen[id] {
			seen[id], ids = true, append(ids, id)
		}
	}
	return ids
}
