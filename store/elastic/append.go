package elastic

import (
	"context"

	"guardrails/store"
)

// maxBatch is how many entries one transaction takes at most.
const maxBatch = 2000

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
	if err := s.append(ctx, tenant, sealed); err != nil {
		return nil, err
	}
	return sealed, nil
}

// append waits until entries are written. Who leads goes on when the caller waits no longer: others wait for it too.
func (s *Store) append(ctx context.Context, tenant string, entries []store.Entry) error {
	l := s.lanes.of(tenant)
	own, leads, err := l.appends.Join(ctx, l.turn, entries)
	if !leads {
		return err
	}
	s.calls.Fork()
	go func() {
		defer s.calls.End()
		defer func() { <-l.turn }()
		lasting := context.WithoutCancel(ctx)
		_ = l.appends.Lead(own, maxBatch, func(entries []*store.Entry) error { // who waits is told
			return s.failure(lasting, s.writeBatch(lasting, tenant, entries))
		})
	}()
	return own.Wait(ctx)
}

func (s *Store) writeBatch(ctx context.Context, tenant string, entries []*store.Entry) error {
	return s.transact(ctx, tenant, func(j *journal) (*transaction, error) {
		t := s.begin(j)
		if _, err := s.seal(ctx, t, entries); err != nil || len(t.actions) == 0 {
			return nil, err
		}
		return t, nil
	})
}
