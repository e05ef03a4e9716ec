package elastic

import (
	"context"
	"encoding/json"

	"guardrails/guideline"
	"guardrails/store"
)

// Create adds a guideline.
func (s *Store) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	return s.change(ctx, w, g.ID, "create", []any{g}, func(_ context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Create(current, g)
	})
}

// Update replaces a guideline.
func (s *Store) Update(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	return s.change(ctx, w, g.ID, "update", []any{g}, func(_ context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Update(current, g)
	})
}

// Toggle switches a guideline on or off.
func (s *Store) Toggle(ctx context.Context, w store.Write, ref store.Ref) (guideline.Guideline, error) {
	return s.change(ctx, w, ref.ID, "toggle", []any{ref}, func(_ context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Toggle(current, ref)
	})
}

// Delete removes a guideline.
func (s *Store) Delete(ctx context.Context, w store.Write, ref store.Ref) error {
	_, err := s.change(ctx, w, ref.ID, "delete", []any{ref}, func(_ context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Delete(current, ref)
	})
	return err
}

// Restore brings an old version back.
func (s *Store) Restore(ctx context.Context, w store.Write, ref store.Ref, version int) (guideline.Guideline, error) {
	return s.change(ctx, w, ref.ID, "restore", []any{ref, version}, func(ctx context.Context, p store.Planner, current *store.Revision) (store.Change, error) {
		old, err := s.revision(ctx, w.Tenant, ref.ID, version)
		if err != nil {
			return store.Change{}, err
		}
		return p.Restore(current, ref, version, old.revision())
	})
}

// change makes a change of one guideline.
func (s *Store) change(ctx context.Context, w store.Write, id, operation string, arguments []any,
	plan func(ctx context.Context, p store.Planner, current *store.Revision) (store.Change, error),
) (guideline.Guideline, error) {
	made, err := s.make(ctx, w, operation, arguments, func(ctx context.Context, j *journal, p store.Planner) (changes, error) {
		newest, err := s.newest(ctx, j, id)
		if err != nil {
			return changes{}, err
		}
		c, err := plan(ctx, p, newest[id].revision())
		if err != nil {
			return changes{}, err
		}
		item := store.ImportItem{ID: id, Version: c.Revision.Guideline.Version}
		return changes{[]store.Change{c}, newest, store.ImportResult{Items: []store.ImportItem{item}, Applied: true}}, nil
	})
	if err != nil {
		return guideline.Guideline{}, err
	}
	return made.guideline, nil
}

// changes are what a write makes of guidelines, with the versions that they replace, and what the caller is told.
type changes struct {
	list   []store.Change
	before map[string]*kept
	result store.ImportResult
}

// outcome is what came of a write.
type outcome struct {
	result store.ImportResult
	// guideline is that of a write that changes one.
	guideline guideline.Guideline
}

// make does what a write id asks for, or recalls what came of it when it was done before.
func (s *Store) make(ctx context.Context, w store.Write, operation string, arguments []any,
	plan func(ctx context.Context, j *journal, p store.Planner) (changes, error),
) (outcome, error) {
	if err := w.Validate(); err != nil {
		return outcome{}, err
	}
	fingerprint, err := store.Fingerprint(operation, arguments...)
	if err != nil {
		return outcome{}, err
	}
	return write(ctx, s, w.Tenant, func(ctx context.Context) (made outcome, err error) {
		err = s.transact(ctx, w.Tenant, func(j *journal) (*transaction, error) {
			known, err := s.recall(ctx, w, fingerprint, &made)
			if err != nil || known {
				return nil, err
			}
			c, err := plan(ctx, j, store.Planner{Write: w, Now: s.now()})
			if made.result = c.result; err != nil {
				return nil, err
			}
			if len(c.list) == 1 {
				made.guideline = c.list[0].Revision.Guideline
			}
			return s.changing(ctx, j, w, fingerprint, &c)
		})
		return made, err
	})
}

// recall finds what came of a write id that was used before.
func (s *Store) recall(ctx context.Context, w store.Write, fingerprint string, made *outcome) (bool, error) {
	var before written
	at, err := s.get(ctx, documentID(kindWritten, w.Tenant, w.ID), &before)
	if err != nil || at == (place{}) {
		return false, err
	}
	if before.Fingerprint != fingerprint {
		return false, store.Reused(w.ID)
	}
	if err := json.Unmarshal(before.Result, &made.result); err != nil {
		return false, err
	}
	if items := made.result.Items; len(items) == 1 {
		k, err := s.revision(ctx, w.Tenant, items[0].ID, items[0].Version)
		if err != nil || k == nil {
			return true, err
		}
		made.guideline = k.Guideline
	}
	return true, nil
}

// changing is the transaction of changes: their versions, their entries in the audit, and the write id.
func (s *Store) changing(ctx context.Context, j *journal, w store.Write, fingerprint string, c *changes) (*transaction, error) {
	t := s.begin(j)
	entries := make([]*store.Entry, len(c.list))
	for i := range c.list {
		entries[i] = &c.list[i].Entry
	}
	existed, err := s.seal(ctx, t, entries)
	if err != nil {
		return nil, err
	}
	if existed {
		return nil, store.Reused(w.ID)
	}
	if len(c.list) > 0 {
		t.next.Generation++
	}
	for i := range c.list {
		if err := t.succeed(c.before[c.list[i].Revision.Guideline.ID], &c.list[i].Revision); err != nil {
			return nil, err
		}
	}
	result, err := json.Marshal(c.result)
	if err != nil {
		return nil, err
	}
	return t, t.add(stateIndex, documentID(kindWritten, w.Tenant, w.ID), false, written{kindWritten, w.Tenant, fingerprint, result})
}

// succeed makes a revision the newest one of its guideline.
func (t *transaction) succeed(before *kept, next *store.Revision) error {
	if before != nil {
		old := *before
		old.superseded = t.next.Generation
		if err := t.keep(&old, true); err != nil {
			return err
		}
	}
	return t.keep(&kept{*next, t.next.Generation, 0}, false)
}

// keep writes a revision.
func (t *transaction) keep(k *kept, replace bool) error {
	doc, err := k.encode()
	if err != nil {
		return err
	}
	return t.add(configIndex, revisionID(t.from.Tenant, k.Guideline.ID, k.Guideline.Version), replace, doc)
}

// revision is the revision as the planner wants it; one that never was is nil.
func (k *kept) revision() *store.Revision {
	if k == nil {
		return nil
	}
	return &k.Revision
}
