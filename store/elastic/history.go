package elastic

import (
	"context"

	"guardrails/store"
)

// History gives the revisions of a guideline, newest first.
func (s *Store) History(ctx context.Context, tenant, id string, p store.Paging) (store.Page[store.Revision], error) {
	p, err := p.WithDefaults()
	if err != nil {
		return store.Page[store.Revision]{}, err
	}
	return read(ctx, s, tenant, func(j *journal) (store.Page[store.Revision], error) {
		page := store.Page[store.Revision]{Items: []store.Revision{}, Paging: p}
		q := question{
			index: configIndex, Query: all(term("tenant_id", tenant), term("id", id), span("generation", tree{"lte": j.Generation})),
			Sort: order{}.by("version", "desc"),
		}
		r, err := s.page(ctx, q, p.Offset(), p.Size)
		if err != nil {
			return page, err
		}
		if page.Total = r.Hits.Total.Value; page.Total == 0 {
			return page, store.Errorf(store.NotFound, "there never was a guideline %.140q", id)
		}
		for i := range r.Hits.Hits {
			k, err := s.decodeRevision(r.Hits.Hits[i].Source)
			if err != nil {
				return page, err
			}
			page.Items = append(page.Items, k.Revision)
		}
		return page, nil
	})
}

// newest are the newest revisions of guidelines where a tenant stands; those that never were are missing.
func (s *Store) newest(ctx context.Context, j *journal, ids ...string) (map[string]*kept, error) {
	out := make(map[string]*kept, len(ids))
	for len(ids) > 0 {
		some := ids[:min(batch, len(ids))]
		ids = ids[len(some):]
		q := question{index: configIndex, Query: all(append(current(j.Tenant, j.Generation), terms("id", some))...), Size: batch}
		r, err := s.search(ctx, &q)
		if err != nil {
			return nil, err
		}
		for i := range r.Hits.Hits {
			k, err := s.decodeRevision(r.Hits.Hits[i].Source)
			if err != nil {
				return nil, err
			}
			out[k.Guideline.ID] = &k
		}
	}
	return out, nil
}

// revision is one version of a guideline, or nil.
func (s *Store) revision(ctx context.Context, tenant, id string, version int) (*kept, error) {
	found, err := s.documents(ctx, configIndex, []string{revisionID(tenant, id, version)})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for _, source := range found {
		k, err := s.decodeRevision(source)
		return &k, err
	}
	return nil, nil
}
