package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"sync"

	"guardrails/guideline"
	"guardrails/store"
)

// Create adds a guideline.
func (s *Store) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	plan := func(_ *tx, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Create(current, g)
	}
	return s.change(ctx, w, store.KeyOf(&g), "create", []any{g}, plan)
}

// Update replaces a guideline.
func (s *Store) Update(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	plan := func(_ *tx, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Update(current, g)
	}
	return s.change(ctx, w, store.KeyOf(&g), "update", []any{g}, plan)
}

// Toggle enables or disables a guideline.
func (s *Store) Toggle(ctx context.Context, w store.Write, ref store.Ref) (guideline.Guideline, error) {
	plan := func(_ *tx, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Toggle(current, ref)
	}
	return s.change(ctx, w, ref.Key, "toggle", []any{ref}, plan)
}

// Delete removes a guideline.
func (s *Store) Delete(ctx context.Context, w store.Write, ref store.Ref) error {
	plan := func(_ *tx, p store.Planner, current *store.Revision) (store.Change, error) {
		return p.Delete(current, ref)
	}
	_, err := s.change(ctx, w, ref.Key, "delete", []any{ref}, plan)
	return err
}

// Restore makes the content of an old version the newest version.
func (s *Store) Restore(ctx context.Context, w store.Write, ref store.Ref, version int) (guideline.Guideline, error) {
	plan := func(t *tx, p store.Planner, current *store.Revision) (store.Change, error) {
		old, err := t.revision(w.Tenant, ref.Key, version)
		if err != nil {
			return store.Change{}, err
		}
		return p.Restore(current, ref, version, old)
	}
	return s.change(ctx, w, ref.Key, "restore", []any{ref, version}, plan)
}

// planFunc plans a change of one guideline. The parameter "current" is the newest revision of the guideline, or nil if
// there is none.
type planFunc func(t *tx, p store.Planner, current *store.Revision) (store.Change, error)

// change() calls plan() to plan a change of one guideline, and stores the change.
func (s *Store) change(
	ctx context.Context, w store.Write, key, operation string, arguments []any, plan planFunc,
) (guideline.Guideline, error) {
	// If ctx ends, changeOnce returns an error while another goroutine may still run do() and set the variable "made".
	// change() therefore reads the variable only if changeOnce returned no error.
	var made guideline.Guideline
	do := func(t *tx, p store.Planner) (store.ImportResult, error) {
		current, err := t.newest(w.Tenant, key)
		if err != nil {
			return store.ImportResult{}, err
		}
		c, err := plan(t, p, current)
		if err != nil {
			return store.ImportResult{}, err
		}
		made = c.Revision.Guideline
		items := []store.ImportItem{{ID: made.ID, ProjectID: made.ProjectID, Version: made.Version}}
		return store.ImportResult{Items: items, Applied: true}, t.apply([]store.Change{c})
	}
	recall := func(t *tx, earlier store.ImportResult) error {
		r, err := t.revision(w.Tenant, earlier.Items[0].Key(), earlier.Items[0].Version)
		if err == nil && r != nil {
			made = r.Guideline
		}
		return err
	}
	if err := s.changeOnce(ctx, w, operation, arguments, do, recall); err != nil {
		return guideline.Guideline{}, err
	}
	return made, nil
}

// changeOnce calls do() to make a change, and stores the result of the change under the write id. If the write id was
// used before, changeOnce changes nothing. It then calls recall() with the earlier result.
func (s *Store) changeOnce(
	ctx context.Context, w store.Write, operation string, arguments []any,
	do func(t *tx, p store.Planner) (store.ImportResult, error), recall func(t *tx, earlier store.ImportResult) error,
) error {
	if err := w.Validate(); err != nil {
		return err
	}
	fingerprint, err := store.Fingerprint(operation, arguments...)
	if err != nil {
		return err
	}
	return s.writeTogether(ctx, func(t *tx) error {
		earlier, err := t.earlierResult(w, fingerprint)
		if err != nil {
			return err
		}
		if earlier != nil {
			return recall(t, *earlier)
		}
		result, err := do(t, store.Planner{Write: w, Now: t.now})
		if err != nil {
			return err
		}
		return t.remember(w, fingerprint, result)
	})
}

// earlierResult returns the result that is stored under a write id, or nil if the write id is new.
func (t *tx) earlierResult(w store.Write, fingerprint string) (*store.ImportResult, error) {
	tenant, err := t.number(w.Tenant)
	if err != nil {
		return nil, err
	}
	var before, text string
	const find = "SELECT fingerprint, result FROM written WHERE tenant = ? AND id = ?"
	switch err := t.row(find, tenant, w.ID)(&before, &text); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case before != fingerprint:
		return nil, store.Reused(w.ID)
	}
	result := new(store.ImportResult)
	return result, json.Unmarshal([]byte(text), result)
}

func (t *tx) remember(w store.Write, fingerprint string, result store.ImportResult) error {
	t.applied = true
	tenant, err := t.number(w.Tenant)
	if err != nil {
		return err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	const insert = "INSERT INTO written (tenant, id, fingerprint, result) VALUES (?, ?, ?, ?)"
	_, err = t.exec(insert, tenant, w.ID, fingerprint, string(text))
	return err
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
	// If ctx ends, changeOnce returns an error while another goroutine may still make the import and set the variable
	// "made". The lock protects this variable.
	var lock sync.Mutex
	var made store.ImportResult
	note := func(r store.ImportResult) {
		lock.Lock()
		defer lock.Unlock()
		made = r
	}
	err := s.changeOnce(ctx, w, "import", []any{items, options}, func(t *tx, p store.Planner) (store.ImportResult, error) {
		newest := func(key string) (*store.Revision, error) { return t.newest(w.Tenant, key) }
		changes, planned, err := p.Import(newest, items, options)
		note(planned)
		if err != nil {
			return planned, err
		}
		return planned, t.apply(changes)
	}, func(_ *tx, earlier store.ImportResult) error {
		note(earlier)
		return nil
	})
	lock.Lock()
	defer lock.Unlock()
	result := made
	if err != nil {
		result.Applied = false
	}
	return result, err
}

// dryRun returns the result that an import would have.
func (s *Store) dryRun(
	ctx context.Context, w store.Write, items []guideline.Guideline, options store.ImportOptions,
) (result store.ImportResult, err error) {
	if err := w.Validate(); err != nil {
		return result, err
	}
	err = s.read(ctx, w.Tenant, func(v *view) error {
		newest := func(key string) (*store.Revision, error) {
			return scanOptional(s, v.QueryRowContext(ctx, newestRevision, v.tenant, key).Scan)
		}
		_, result, err = store.Planner{Write: w, Now: s.now()}.Import(newest, items, options)
		return err
	})
	return result, err
}
