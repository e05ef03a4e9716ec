package sqlite

import (
	"context"

	"guardrails/store"
)

// maxBatch is how many entries one transaction takes at most.
const maxBatch = 5000

// Append adds entries to the audit.
func (s *Store) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	if err := s.calls.Begin(); err != nil {
		return nil, err
	}
	defer s.calls.End()
	sealed, err := store.PrepareAll(tenant, entries, s.now())
	if err != nil || len(entries) == 0 {
		return sealed, err
	}
	if s.writer == nil {
		return nil, s.readOnly()
	}
	if err := s.append(ctx, sealed); err != nil {
		return nil, s.failure(ctx, err)
	}
	return sealed, nil
}

// append waits until entries are written: all that wait in one transaction, so that they cost one wait for the disk.
func (s *Store) append(ctx context.Context, entries []store.Entry) error {
	own, leads, err := s.appends.Join(ctx, s.writer.turn, entries)
	if !leads {
		return err
	}
	defer func() { <-s.writer.turn }()
	return s.appends.Lead(own, maxBatch, func(entries []*store.Entry) error {
		return s.transact(context.WithoutCancel(ctx), func(t *tx) error { return t.append(entries) })
	})
}
