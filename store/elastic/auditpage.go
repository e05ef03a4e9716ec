package elastic

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"guardrails/store"
)

// The servers may have to search for a page several times. steps() returns, for each of these searches, how far the
// search goes back before the time of the page. The value 0 means that the search has no limit.
func steps() [5]time.Duration {
	const day = 24 * time.Hour
	return [...]time.Duration{10 * time.Minute, 4 * time.Hour, 4 * day, 100 * day, 0}
}

// entriesPage reads one page of the audit, with the newest entries first. In one search of the whole audit, the servers
// would compare the times of all entries that match. This takes too long for a large audit. The first search of a large
// audit therefore goes back only ten minutes before the page. The next searches go back further, until one of them
// finds a whole page.
func (s *Store) entriesPage(
	ctx context.Context, j *journal, q *store.AuditQuery, p *store.Pager[sortValues], preference string,
) (store.Page[store.Entry], error) {
	filters := append(j.shownEntries(), entryFilters(&q.AuditFilter)...)
	search := query{
		index: auditIndex, Query: matchAll(filters...),
		Sort: order{}.by("timestamp", "desc").by("seq", "desc").by("id", "desc"), preference: preference,
	}
	if p.Place != nil {
		search.After = *p.Place
	}
	if j.countEntries() < s.largeAudit {
		return readPage(ctx, s, search, p, decodeEntry)
	}
	total, err := s.total(ctx, j, q, filters, p)
	if err != nil {
		return store.Page[store.Entry]{}, err
	}
	end, err := s.endOf(ctx, j, q, p)
	if err != nil {
		return store.Page[store.Entry]{}, err
	}
	search.Size, search.From = p.Limit(), p.Skip()
	var r *result
	for _, step := range steps() {
		bounded := search
		if step > 0 {
			bounds := tree{"gte": end.Add(-step).UnixMilli(), "format": "epoch_millis"}
			bounded.Query = matchAll(append(slices.Clone(filters), span("timestamp", bounds))...)
		}
		if r, err = s.search(ctx, &bounded); err != nil {
			return store.Page[store.Entry]{}, err
		}
		if len(r.Hits.Hits) == search.Size {
			break
		}
	}
	return pageOf(r, total, p, decodeEntry)
}

// countEntries returns the number of entries that readers see.
func (j *journal) countEntries() (n int) {
	for _, h := range j.Heads {
		n += int(h.Seq - h.Base)
	}
	return n
}

// total() returns how many entries match. A page that is requested by a cursor needs no total, because the cursor
// contains the total.
func (s *Store) total(
	ctx context.Context, j *journal, q *store.AuditQuery, filters []tree, p *store.Pager[sortValues],
) (int, error) {
	switch {
	case p.Place != nil:
		return 0, nil
	case q.AuditFilter == store.AuditFilter{}:
		return j.countEntries(), nil
	}
	r, err := s.search(ctx, &query{index: auditIndex, Query: matchAll(filters...), Total: true})
	if err != nil {
		return 0, err
	}
	return r.Hits.Total.Value, nil
}

// endOf estimates the time of the newest entry of a page. If the estimate is wrong, the search for the page takes
// longer.
func (s *Store) endOf(
	ctx context.Context, j *journal, q *store.AuditQuery, p *store.Pager[sortValues],
) (newest time.Time, err error) {
	if p.Place != nil && len(*p.Place) > 0 {
		if n, ok := (*p.Place)[0].(json.Number); ok {
			if at, err := n.Int64(); err == nil {
				return time.UnixMilli(at), nil
			}
		}
	}
	r, err := s.search(ctx, &query{
		index: auditIndex, Query: matchAll(term("tenant_id", j.Tenant), tree{"bool": tree{"should": j.headFilters()}}), Size: maxHeads,
		Source: []string{"timestamp"},
	})
	if err != nil {
		return newest, err
	}
	for _, h := range r.Hits.Hits {
		var e struct {
			Timestamp time.Time `json:"timestamp"`
		}
		if err := json.Unmarshal(h.Source, &e); err != nil {
			return newest, err
		}
		if e.Timestamp.After(newest) {
			newest = e.Timestamp
		}
	}
	if !q.To.IsZero() && q.To.Before(newest) {
		newest = q.To
	}
	return newest, nil
}
