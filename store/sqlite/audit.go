package sqlite

import (
	"context"

	"guardrails/store"
)

// Query gives one page of the audit.
func (s *Store) Query(ctx context.Context, tenant string, q store.AuditQuery) (page store.Page[store.Entry], err error) {
	page.Items = []store.Entry{}
	if page.Paging, err = q.WithDefaults(); err != nil {
		return page, err
	}
	err = s.read(ctx, tenant, func(v *view) error {
		found, err := v.search(&q.AuditFilter)
		if err != nil || found.nothing {
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

// seek counts all that is found and says where a page begins: before which time, and after how many more entries.
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

// skipSegments finds the segment in which an offset lies, and the offset within it.
func skipSegments(segments []segment, offset int) (*segment, int) {
	for i := range segments {
		if offset < segments[i].entries {
			return &segments[i], offset
		}
		offset -= segments[i].entries
	}
	return nil, 0
}

// page reads entries before a time, newest first.
func (s *search) page(before int64, size, skip int) ([]store.Entry, error) {
	source, c := s.found(s.from, before)
	return s.entries("SELECT e.body, e.hash FROM (SELECT row, time FROM "+source+" WHERE "+c.text()+
		" ORDER BY time DESC, row DESC LIMIT ? OFFSET ?) p JOIN entry e ON e.row = p.row ORDER BY p.time DESC, p.row DESC", append(c.args, size, skip))
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
