package sqlite

import (
	"context"
	"errors"
	"iter"

	"guardrails/store"
)

// Dump yields every record of a tenant. While it runs, SQLite cannot truncate the write-ahead log of the file.
func (s *Store) Dump(ctx context.Context, tenant string) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		stopped := false
		err := s.read(ctx, tenant, func(v *view) error {
			return v.dump(tenant, func(r store.Record) error {
				if stopped = !yield(r, nil); stopped {
					return errors.New("the reader of the dump stopped")
				}
				return nil
			})
		})
		if err != nil && !stopped {
			yield(store.Record{}, err)
		}
	}
}

func (v *view) dump(tenant string, yield func(store.Record) error) error {
	heads, _, err := v.heads(tenant)
	if err != nil {
		return err
	}
	for i := range heads {
		if err := yield(store.Record{Head: &heads[i]}); err != nil {
			return err
		}
	}
	const entries = "SELECT body, hash FROM entry WHERE tenant = ? ORDER BY row"
	err = eachRow(v.ctx, v, entries, []any{v.tenant}, func(scan func(...any) error) error {
		e, err := scanEntry(scan)
		if err != nil {
			return err
		}
		return yield(store.Record{Entry: &e})
	})
	if err != nil {
		return err
	}
	return eachRow(v.ctx, v, revisionColumns+" ORDER BY row", []any{v.tenant}, func(scan func(...any) error) error {
		r, err := v.store.scanRevision(scan)
		if err != nil {
			return err
		}
		return yield(store.Record{Revision: &r})
	})
}
