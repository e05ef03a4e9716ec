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
	pager, err := store.NewPager[entryPlace](q.Paging, "sqlite audit", tenant, q.AuditFilter)
	if err != nil {
		return page, err
	}
	var found rows
	total := 0
	err = s.read(ctx, tenant, func(v *view) error {
		search, err := v.search(&q.AuditFilter)
		if err != nil || search.empty {
			return err
		}
		if pager.Place != nil {
			found, err = search.pageAfter(*pager.Place, pager.Limit())
			return err
		}
		all, before, skip, err := search.seek(pager.Offset())
		if total = all; err != nil || pager.Offset() >= all {
			return err
		}
		found, err = search.page(before, pager.Limit(), skip)
		return err
	})
	if err != nil {
		return page, err
	}
	return store.PageOf(&pager, append([]store.Entry{}, found.entries...), total, func(i int) entryPlace { return found.places[i] })
}

// entryPlace is the place of an entry in the audit.
type entryPlace struct {
	Time int64 `json:"t"`
	Row  int64 `json:"r"`
}

// The type "rows" has entries and their places.
type rows struct {
	entries []store.Entry
	places  []entryPlace
}

// seek() returns the total number of entries (the result "all"), and where the page at the given offset begins. To read
// the page, read the entries that are older than the time in the result "before", beginning with the newest one. The
// result "skip" says how many entries to leave out before the page begins.
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

// page() reads the entries before a time, newest first.
func (s *search) page(before int64, size, skip int) (rows, error) {
	source, c := s.found(s.from, before)
	return s.newest(source, c, size, skip)
}

// pageAfter reads the entries that come after a place in the list of entries. This list begins with the newest entry.
func (s *search) pageAfter(at entryPlace, size int) (rows, error) {
	source, c := s.found(s.from, min(s.to, at.Time+1))
	s.addBeyond(c, at, "<")
	return s.newest(source, c, size, 0)
}

func (s *search) newest(source string, c *conditions, size, skip int) (out rows, err error) {
	query := "SELECT p.time, p.row, e.body, e.hash FROM (SELECT row, time FROM " + source + " WHERE " + c.text() +
		" ORDER BY " + s.order("DESC") + " LIMIT ? OFFSET ?) p JOIN entry e ON e.row = p.row ORDER BY p.time DESC, p.row DESC"
	err = eachRow(s.ctx, s, query, append(c.args, size, skip), func(scan func(...any) error) error {
		var at entryPlace
		e, err := scanEntry(func(into ...any) error { return scan(append([]any{&at.Time, &at.Row}, into...)...) })
		out.entries, out.places = append(out.entries, e), append(out.places, at)
		return err
	})
	return out, err
}

// exportBatch is the number of entries that an export reads in one transaction. No transaction is open between batches,
// because the write-ahead log of the file grows while a transaction is open.
const exportBatch = 1000

// The type "progress" is the progress of an export: the place of the entry after which the export continues, and the
// row of the last entry to export.
type progress struct {
	entryPlace
	last int64
}

// Export yields the entries that match a filter, oldest first.
func (s *Store) Export(ctx context.Context, tenant string, f store.AuditFilter) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		at := progress{entryPlace: entryPlace{Time: -1}}
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
	ctx context.Context, tenant string, f *store.AuditFilter, at *progress,
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
		batch, err = found.nextBatch(at)
		return err
	})
	return batch, err
}

// nextBatch reads the next batch and moves the progress to its end.
func (s *search) nextBatch(at *progress) ([]store.Entry, error) {
	source, c := s.found(max(s.from, at.Time), s.to)
	s.addBeyond(c, at.entryPlace, ">")
	c.add("row <= ?", at.last)
	out := []store.Entry{}
	query := "SELECT p.time, p.row, e.body, e.hash FROM (SELECT row, time FROM " + source + " WHERE " + c.text() +
		" ORDER BY " + s.order("ASC") + " LIMIT ?) p JOIN entry e ON e.row = p.row ORDER BY p.time, p.row"
	err := eachRow(s.ctx, s, query, append(c.args, exportBatch), func(scan func(...any) error) error {
		e, err := scanEntry(func(into ...any) error { return scan(append([]any{&at.Time, &at.Row}, into...)...) })
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

// append() adds entries, and returns when they are written. All waiting appends share one transaction, which syncs the
// disk once.
func (s *Store) append(ctx context.Context, entries []store.Entry) error {
	own, leads, err := s.appends.Join(ctx, s.writer.lock, store.Pointers(entries))
	if !leads {
		return err
	}
	defer func() { <-s.writer.lock }()
	return s.appends.Lead(own, maxBatch, func(entries []*store.Entry) error {
		return s.transact(context.WithoutCancel(ctx), func(t *tx) error {
			_, err := t.append(entries)
			return err
		})
	})
}
