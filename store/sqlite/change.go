package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"guardrails/guideline"
	"guardrails/store"
)

// Create adds a guideline.
func (s *Store) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	return s.change(ctx, w, "create", []any{g}, func(t *tx, p store.Planner) (store.Change, error) {
		current, err := t.newest(w.Tenant, g.ID)
		if err != nil {
			return store.Change{}, err
		}
		return p.Create(current, g)
	})
}

// Update replaces a guideline.
func (s *Store) Update(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	return s.change(ctx, w, "update", []any{g}, func(t *tx, p store.Planner) (store.Change, error) {
		current, err := t.newest(w.Tenant, g.ID)
		if err != nil {
			return store.Change{}, err
		}
		return p.Update(current, g)
	})
}

// Toggle switches a guideline on or off.
func (s *Store) Toggle(ctx context.Context, w store.Write, ref store.Ref) (guideline.Guideline, error) {
	return s.change(ctx, w, "toggle", []any{ref}, func(t *tx, p store.Planner) (store.Change, error) {
		current, err := t.newest(w.Tenant, ref.ID)
		if err != nil {
			return store.Change{}, err
		}
		return p.Toggle(current, ref)
	})
}

// Delete removes a guideline.
func (s *Store) Delete(ctx context.Context, w store.Write, ref store.Ref) error {
	_, err := s.change(ctx, w, "delete", []any{ref}, func(t *tx, p store.Planner) (store.Change, error) {
		current, err := t.newest(w.Tenant, ref.ID)
		if err != nil {
			return store.Change{}, err
		}
		return p.Delete(current, ref)
	})
	return err
}

// Restore brings an old version back.
func (s *Store) Restore(ctx context.Context, w store.Write, ref store.Ref, version int) (guideline.Guideline, error) {
	return s.change(ctx, w, "restore", []any{ref, version}, func(t *tx, p store.Planner) (store.Change, error) {
		current, err := t.newest(w.Tenant, ref.ID)
		if err != nil {
			return store.Change{}, err
		}
		old, err := t.revision(w.Tenant, ref.ID, version)
		if err != nil {
			return store.Change{}, err
		}
		return p.Restore(current, ref, version, old)
	})
}

// change makes a change of one guideline.
func (s *Store) change(ctx context.Context, w store.Write, operation string, arguments []any, plan func(t *tx, p store.Planner) (store.Change, error)) (g guideline.Guideline, err error) {
	err = s.once(ctx, w, operation, arguments, func(t *tx, p store.Planner) (store.ImportResult, error) {
		c, err := plan(t, p)
		if err != nil {
			return store.ImportResult{}, err
		}
		g = c.Revision.Guideline
		return store.ImportResult{Items: []store.ImportItem{{ID: g.ID, Version: g.Version}}, Applied: true}, t.apply([]store.Change{c})
	}, func(t *tx, earlier store.ImportResult) error {
		r, err := t.revision(w.Tenant, earlier.Items[0].ID, earlier.Items[0].Version)
		if err == nil && r != nil {
			g = r.Guideline
		}
		return err
	})
	if err != nil {
		return guideline.Guideline{}, err
	}
	return g, nil
}

// once does what a write id asks for, or recalls what came of it when it was done before.
func (s *Store) once(ctx context.Context, w store.Write, operation string, arguments []any,
	do func(t *tx, p store.Planner) (store.ImportResult, error), recall func(t *tx, earlier store.ImportResult) error,
) error {
	if err := w.Validate(); err != nil {
		return err
	}
	fingerprint, err := store.Fingerprint(operation, arguments...)
	if err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		earlier, err := t.written(w, fingerprint)
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

// written is the result of a write id that was used before, or nil.
func (t *tx) written(w store.Write, fingerprint string) (*store.ImportResult, error) {
	tenant, err := t.number(w.Tenant)
	if err != nil {
		return nil, err
	}
	var before, text string
	switch err := t.row("SELECT fingerprint, result FROM written WHERE tenant = ? AND id = ?", tenant, w.ID)(&before, &text); {
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
	tenant, err := t.number(w.Tenant)
	if err != nil {
		return err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO written (tenant, id, fingerprint, result) VALUES (?, ?, ?, ?)", tenant, w.ID, fingerprint, string(text))
	return err
}
