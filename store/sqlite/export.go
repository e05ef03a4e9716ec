package sqlite

import (
	"context"
	"iter"

	"guardrails/store"
)

// exportBatch is how many entries are read at once; between batches nothing is held that would keep the file growing.
const exportBatch = 1000

// cursor is how far an export is: after which entry it goes on, and which is the last.
type cursor struct{ time, row, last int64 }

// Export gives the entries that pass a filter, oldest first.
func (s *Store) Export(ctx context.Context, tenant string, f store.AuditFilter) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		at := cursor{time: -1}
		for {
			batch, err := s.exportNext(ctx, tenant, &f, &at)
			if err != nil {
				yield(store.Entry{}, err)
				return
			}
			for i := range batch {
				if !yield(batch[i], nil) {
					return
				}
			}
			if len(batch) < exportBatch {
				return
			}
		}
	}
}

func (s *Store) exportNext(ctx context.Context, tenant string, f *store.AuditFilter, at *cursor) (batch []store.Entry, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		found, err := v.search(f)
		if err != nil || found.nothing {
			return err
		}
		if at.last == 0 {
			if err := v.QueryRowContext(ctx, "SELECT coalesce(max(row), -1) FROM entry").Scan(&at.last); err != nil {
				return err
			}
		}
		batch, err = found.after(at)
		return err
	})
	return batch, err
}

// after reads the next batch and moves the cursor.
func (s *search) after(at *cursor) ([]store.Entry, error) {
	source, c := s.found(s.from, s.to)
	c.add("(time, row) > (?, ?) AND row <= ?", at.time, at.row, at.last)
	out := []store.Entry{}
	err := each(s.ctx, s, "SELECT p.time, p.row, e.body, e.hash FROM (SELECT row, time FROM "+source+" WHERE "+c.text()+
		" ORDER BY time, row LIMIT ?) p JOIN entry e ON e.row = p.row ORDER BY p.time, p.row", append(c.args, exportBatch), func(scan func(...any) error) error {
		e, err := scanEntry(func(into ...any) error { return scan(append([]any{&at.time, &at.row}, into...)...) })
		out = append(out, e)
		return err
	})
	return out, err
}
