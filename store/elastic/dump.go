package elastic

import (
	"context"
	"encoding/json"
	"iter"

	"guardrails/store"
)

// Dump yields every record of a tenant.
func (s *Store) Dump(ctx context.Context, tenant string) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		stopped := false
		emit := func(r store.Record) error {
			if stopped = !yield(r, nil); stopped {
				return errStopped
			}
			return nil
		}
		_, err := read(ctx, s, tenant, func(ctx context.Context, _ *journal) (struct{}, error) {
			return struct{}{}, s.withAudit(ctx, tenant, func(a *auditSnapshot) error { return s.dump(ctx, a, emit) })
		})
		if err != nil && !stopped {
			yield(store.Record{}, err)
		}
	}
}

func (s *Store) dump(ctx context.Context, a *auditSnapshot, emit func(store.Record) error) error {
	for i := range a.Heads {
		if err := emit(store.Record{Head: &a.Heads[i]}); err != nil {
			return err
		}
	}
	q := query{
		PIT: a.pit, Query: matchAll(a.entries()...),
		Sort: order{}.by("writer", "asc").by("kind", "asc").by("seq", "asc").by("id", "asc"),
	}
	err := s.eachDocument(ctx, q, func(source json.RawMessage) error {
		e, err := decodeEntry(source)
		if err != nil || e.Seq > lastSeq(a.Heads, e.Chain()) {
			return err
		}
		return emit(store.Record{Entry: &e})
	})
	if err != nil {
		return err
	}
	return s.eachRevision(ctx, a.journal, func(k storedRevision, _ indexedRevision, err error) error {
		if err != nil {
			return err
		}
		return emit(store.Record{Revision: &k.Revision})
	})
}
