package sqlite

import (
	"context"
	"iter"

	"guardrails/store"
)

// Query returns one page of the audit.
func (s *Store) Query(
	ctx context.Context, tenant string, q store.AuditQuery,
) (page store.Page[store.Entry], err error) {
	page.Items = []store.Entry{}
	if page.Paging, err = q.WithDefaults(); err != nil {
		return page, err
	}
	err = s.read(ctx, tenant, func(v *view) error {
		found, err := v.search(&q.AuditFilter)
		if err != nil || found.empty {
			return err
		}
		all, before, skip, err := found.seek(page.Offset())
		if page.Total = all; err != nil || page.Offset() >= all {
			return err
		}
		page.Items, err = found.page(before, page.Size, skip)
		return err
	})
	return page, err
}

// seek returns the total number of entries, and where the page at an offset begins. To read the page, take the entries
// that are older than before, newest first, and leave out the first skip of them.
func (s *search) seek(offset int) (all int, before int64, skip int, err error) {
	if !s.countable {
		all, err = s.scanCount(s.from, s.to)
		return all, s.to, offset, err
	}
	segments, err := s.cover(s.from, s.to, spanDay)
	if err != nil {
		return 0, 0, 0, err
	}
	all = total(segments)
	at, skip := skipSegments(segments, offset)
	if at != nil && at.span == spanDay {
		if segments, err = s.cover(at.start, at.end, spanMinute); err != nil {
			return 0, 0, 0, err
		}
		at, skip = skipSegments(segments, skip)
	}
	if at == nil {
		return all, s.from, 0, nil
	}
	return all, at.end, skip, nil
}

// skipSegments returns the segment that contains an offset, and the offset within it.
func skipSegments(segments []segment, offset int) (*segment, int) {
	for i := range segments {
		if offset < segments[i].entries {
			return &segments[i], offset
		}
		offset -= segments[i].entries
	}
	return nil, 0
}

// page reads the entries before a time, newest first.
func (s *search) page(before int64, size, skip int) ([]store.Entry, error) {
	source, c := s.found(s.from, before)
	query := "SELECT e.body, e.hash FROM (SELECT row, time FROM " + source + " WHERE " + c.text() +
		" ORDER BY time DESC, row DESC LIMIT ? OFFSET ?) p JOIN entry e ON e.row = p.row ORDER BY p.time DESC, p.row DESC"
	return s.entries(query, append(c.args, size, skip))
}

func (s *search) entries(query string, args []any) ([]store.Entry, error) {
	out := []store.Entry{}
	err := each(s.ctx, s, query, args, func(scan func(...any) error) error {
		e, err := scanEntry(scan)
		out = append(out, e)
		return err
	})
	return out, err
}

// exportBatch is the number of entries that an export reads at once. No transaction is open between batches, because
// the log of the file grows while a transaction is open.
const exportBatch = 1000

// cursor is the position of an export: the time and the row of the entry after which it continues, and the row of the
// last entry to export.
type cursor struct{ time, row, last int64 }

// Export yields the entries that match a filter, oldest first.
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

func (s *Store) exportNext(
	ctx context.Context, tenant string, f *store.AuditFilter, at *cursor,
) (batch []store.Entry, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		found, err := v.search(f)
		if err != nil || found.empty {
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

// after reads the next batch and moves the cursor to its end.
func (s *search) after(at *cursor) ([]store.Entry, error) {
	source, c := s.found(s.from, s.to)
	c.add("(time, row) > (?, ?) AND row <= ?", at.time, at.row, at.last)
	out := []store.Entry{}
	query := "SELECT p.time, p.row, e.body, e.hash FROM (SELECT row, time FROM " + source + " WHERE " + c.text() +
		" ORDER BY time, row LIMIT ?) p JOIN entry e ON e.row = p.row ORDER BY p.time, p.row"
	err := each(s.ctx, s, query, append(c.args, exportBatch), func(scan func(...any) error) error {
		e, err := scanEntry(func(into ...any) error { return scan(append([]any{&at.time, &at.row}, into...)...) })
		out = append(out, e)
		return err
	})
	return out, err
}

// maxBatch is the maximum number of entries in one transaction.
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

// append returns when the entries are written. All waiting appends share one transaction, which syncs the disk once.
func (s *Store) append(ctx context.Context, entries []store.Entry) error {
	own, leads, err := s.appends.Join(ctx, s.writer.lock, entries)
	if !leads {
		return err
	}
	defer func() { <-s.writer.lock }()
	return s.appends.Lead(own, maxBatch, func(entries []*store.Entry) error {
		return s.transact(context.WithoutCancel(ctx), func(t *tx) error { return t.append(entries) })
	})
}
