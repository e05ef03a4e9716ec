package elastic

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"guardrails/store"
)

// Query gives one page of the audit.
func (s *Store) Query(ctx context.Context, tenant string, q store.AuditQuery) (store.Page[store.Entry], error) {
	p, err := q.WithDefaults()
	if err != nil {
		return store.Page[store.Entry]{}, err
	}
	return read(ctx, s, tenant, func(j *journal) (store.Page[store.Entry], error) {
		page := store.Page[store.Entry]{Items: []store.Entry{}, Paging: p}
		asked := question{
			index: auditIndex, Query: all(append(j.entries(), entryFilters(&q.AuditFilter)...)...),
			Sort: order{}.by("timestamp", "desc").by("seq", "desc").by("id", "desc"),
		}
		r, err := s.page(ctx, asked, p.Offset(), p.Size)
		if err != nil {
			return page, err
		}
		page.Total = r.Hits.Total.Value
		for i := range r.Hits.Hits {
			e, err := decodeEntry(r.Hits.Hits[i].Source)
			if err != nil {
				return page, err
			}
			page.Items = append(page.Items, e)
		}
		return page, nil
	})
}

// entries are those of a tenant that were not pruned. What was given up may still be there for a moment.
func (j *journal) entries() []tree {
	out := []tree{term("tenant_id", j.Tenant)}
	for _, h := range j.Heads {
		if h.Base > 0 {
			out = append(out, not(all(append(chainFilters(h.Chain), span("seq", tree{"lte": h.Base}))...)))
		}
	}
	return out
}

// chainFilters are what the entries of a chain have in common, beside the tenant.
func chainFilters(c store.Chain) []tree {
	return []tree{term("writer", c.Writer), term("kind", string(c.Kind))}
}

// entryFilters are what a filter asks of entries.
func entryFilters(f *store.AuditFilter) []tree {
	var out []tree
	for field, value := range map[string]string{"guideline_id": f.Guideline, "event_type": f.Event, "session_id": f.Session, "actor": f.Actor} {
		if value != "" {
			out = append(out, term(field, value))
		}
	}
	bounds := tree{"format": "epoch_millis"}
	if !f.From.IsZero() {
		bounds["gte"] = roundUp(f.From)
	}
	if !f.To.IsZero() {
		bounds["lt"] = roundUp(f.To)
	}
	if len(bounds) > 1 {
		out = append(out, span("timestamp", bounds))
	}
	return out
}

// roundUp is a time in milliseconds, because entries are rounded down.
func roundUp(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }

// Export gives the entries that pass a filter, oldest first.
func (s *Store) Export(ctx context.Context, tenant string, f store.AuditFilter) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		stopped := false
		_, err := read(ctx, s, tenant, func(j *journal) (struct{}, error) {
			q := question{
				Query: all(append(j.entries(), entryFilters(&f)...)...),
				Sort:  order{}.by("timestamp", "asc").by("seq", "asc").by("id", "asc"),
			}
			return struct{}{}, s.atOnce(ctx, auditIndex, func(moment any) error {
				q.Moment = moment
				return s.each(ctx, q, func(source json.RawMessage) error {
					e, err := decodeEntry(source)
					if err != nil {
						return err
					}
					if stopped = !yield(e, nil); stopped {
						return errStopped
					}
					return nil
				})
			})
		})
		if err != nil && !stopped {
			yield(store.Entry{}, err)
		}
	}
}
