package live

import (
	"context"

	"guardrails/store"
)

// Maintain does the regular work of a store that keeps the audit in segments. For other stores, it does nothing.
func (s *Store) Maintain(ctx context.Context) error {
	open, _, err := s.conn.get(ctx)
	if err != nil {
		return err
	}
	if segmented, ok := open.(store.Segmented); ok {
		err = segmented.Maintain(ctx)
		s.conn.check(open, err)
	}
	return err
}

// Maintain does the same as Store.Maintain.
func (t *TenantStore) Maintain(ctx context.Context) error { return t.store.Maintain(ctx) }

// Split splits the audit of all tenants into segments.
func (t *TenantStore) Split(ctx context.Context) error {
	return t.rearrange(ctx, store.Segmented.Split)
}

// Join joins the segments of the audit of all tenants.
func (t *TenantStore) Join(ctx context.Context) error { return t.rearrange(ctx, store.Segmented.Join) }

// rearrange() changes how the store keeps the audit, and opens the store again.
func (t *TenantStore) rearrange(ctx context.Context, change func(store.Segmented, context.Context) error) error {
	_, err := changeStore(ctx, t, func(s store.Store) (struct{}, error) {
		segmented, ok := s.(store.Segmented)
		if !ok {
			return struct{}{}, store.Errorf(store.Invalid, "the audit of a SQLite database has no segments")
		}
		return struct{}{}, change(segmented, ctx)
	})
	if err != nil {
		return err
	}
	return t.store.Reopen(ctx)
}
