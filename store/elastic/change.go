package elastic

import (
	"context"
	"encoding/json"

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

// planFunc plans a change of one guideline. current is the newest revision of the guideline, or nil if there is none.
type planFunc func(ctx context.Context, p store.Planner, current *store.Revision) (store.Change, error)

// change stores the change that plan returns for one guideline.
func (s *Store) change(
	ctx context.Context, w store.Write, id, operation string, arguments []any, plan planFunc,
) (guideline.Guideline, error) {
	out, err := s.once(ctx, w, operation, arguments, func(
		ctx context.Context, j *journal, p store.Planner,
	) (changes, error) {
		newest, err := s.newest(ctx, j, id)
		if err != nil {
			return changes{}, err
		}
		c, err := plan(ctx, p, newest[id].revision())
		if err != nil {
			return changes{}, err
		}
		items := []store.ImportItem{{ID: id, Version: c.Revision.Guideline.Version}}
		return changes{[]store.Change{c}, newest, store.ImportResult{Items: items, Applied: true}}, nil
	})
	if err != nil {
		return guideline.Guideline{}, err
	}
	return out.guideline, nil
}

// changes has the planned changes of a write, the versions that they replace, and the result for the caller.
type changes struct {
	list   []store.Change
	before map[string]*storedRevision
	result store.ImportResult
}

// outcome is the result of a write.
type outcome struct {
	result store.ImportResult
	// guideline is set if the write changes one guideline.
	guideline guideline.Guideline
}

// once makes the changes that plan returns, and stores their result under the write id. If the write id was used
// before, once changes nothing and returns the earlier result.
func (s *Store) once(
	ctx context.Context, w store.Write, operation string, arguments []any,
	plan func(ctx context.Context, j *journal, p store.Planner) (changes, error),
) (outcome, error) {
	if err := w.Validate(); err != nil {
		return outcome{}, err
	}
	fingerprint, err := store.Fingerprint(operation, arguments...)
	if err != nil {
		return outcome{}, err
	}
	return write(ctx, s, w.Tenant, func(ctx context.Context) (out outcome, err error) {
		err = s.transact(ctx, w.Tenant, func(j *journal) (*transaction, error) {
			known, err := s.recall(ctx, w, fingerprint, &out)
			if err != nil || known {
				return nil, err
			}
			c, err := plan(ctx, j, store.Planner{Write: w, Now: s.now()})
			if out.result = c.result; err != nil {
				return nil, err
			}
			if len(c.list) == 1 {
				out.guideline = c.list[0].Revision.Guideline
			}
			return s.newTransaction(ctx, j, w, fingerprint, &c)
		})
		return out, err
	})
}

// recall reads the result that is stored under a write id into out. It returns false if the write id is new.
func (s *Store) recall(ctx context.Context, w store.Write, fingerprint string, out *outcome) (bool, error) {
	var before writeResult
	at, err := s.get(ctx, documentID(kindWritten, w.Tenant, w.ID), &before)
	if err != nil || at == (docState{}) {
		return false, err
	}
	if before.Fingerprint != fingerprint {
		return false, store.Reused(w.ID)
	}
	if err := json.Unmarshal(before.Result, &out.result); err != nil {
		return false, err
	}
	if items := out.result.Items; len(items) == 1 {
		k, err := s.revision(ctx, w.Tenant, items[0].Key(), items[0].Version)
		if err != nil || k == nil {
			return true, err
		}
		out.guideline = k.Guideline
	}
	return true, nil
}

// newTransaction returns a transaction that stores the revisions and audit entries of changes, and the result under the
// write id.
func (s *Store) newTransaction(
	ctx context.Context, j *journal, w store.Write, fingerprint string, c *changes,
) (*transaction, error) {
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
		if err := t.replace(c.before[store.KeyOf(&c.list[i].Revision.Guideline)], &c.list[i].Revision); err != nil {
			return nil, err
		}
	}
	result, err := json.Marshal(c.result)
	if err != nil {
		return nil, err
	}
	doc := writeResult{kindWritten, w.Tenant, fingerprint, result}
	return t, t.add(stateIndex, documentID(kindWritten, w.Tenant, w.ID), false, doc)
}

// replace adds the revision next, which supersedes before. If the guideline is new, before is nil.
func (t *transaction) replace(before *storedRevision, next *store.Revision) error {
	if before != nil {
		old := *before
		old.superseded = t.next.Generation
		if err := t.addRevision(&old, true); err != nil {
			return err
		}
	}
	return t.addRevision(&storedRevision{*next, t.next.Generation, 0}, false)
}

// addRevision adds the action that writes the document of a revision.
func (t *transaction) addRevision(k *storedRevision, replace bool) error {
	doc, err := k.encode()
	if err != nil {
		return err
	}
	return t.add(configIndex, revisionID(t.from.Tenant, store.KeyOf(&k.Guideline), k.Guideline.Version), replace, doc)
}

// revision returns the revision for a Planner. It is nil if k is nil.
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
	plan := func(ctx context.Context, j *journal, p store.Planner) (c changes, err error) {
		if c.before, err = s.newest(ctx, j, keysOf(items)...); err != nil {
			return c, err
		}
		newest := func(key string) (*store.Revision, error) { return c.before[key].revision(), nil }
		c.list, c.result, err = p.Import(newest, items, options)
		return c, err
	}
	if options.DryRun {
		return s.dryRun(ctx, w, plan)
	}
	out, err := s.once(ctx, w, "import", []any{items, options}, plan)
	if err != nil {
		out.result.Applied = false
	}
	return out.result, err
}

// dryRun returns the result that an import would have.
func (s *Store) dryRun(
	ctx context.Context, w store.Write, plan func(context.Context, *journal, store.Planner) (changes, error),
) (store.ImportResult, error) {
	if err := w.Validate(); err != nil {
		return store.ImportResult{}, err
	}
	return read(ctx, s, w.Tenant, func(j *journal) (store.ImportResult, error) {
		c, err := plan(ctx, j, store.Planner{Write: w, Now: s.now()})
		return c.result, err
	})
}

// keysOf returns the keys of guidelines without duplicates.
func keysOf(items []guideline.Guideline) []string {
	seen, keys := map[string]bool{}, []string{}
	for i := range items {
		if key := store.KeyOf(&items[i]); !seen[key] {
			seen[key], keys = true, append(keys, key)
		}
	}
	return keys
}
