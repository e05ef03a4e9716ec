package elastic

import (
	"context"
	"encoding/json"

	"guardrails/store"
)

// History returns one page of the revisions of a guideline, newest first.
func (s *Store) History(ctx context.Context, tenant, key string, p store.Paging) (store.Page[store.Revision], error) {
	pager, err := store.NewPager[sortValues](p, "elastic history", tenant, key)
	if err != nil {
		return store.Page[store.Revision]{}, err
	}
	return read(ctx, s, tenant, func(j *journal) (store.Page[store.Revision], error) {
		search := query{
			index: configIndex,
			Query: matchAll(term("tenant_id", tenant), term("id", key), span("generation", tree{"lte": j.Generation})),
			Sort:  order{}.by("version", "desc"),
		}
		if pager.Place != nil {
			search.After = *pager.Place
		}
		page, err := readPage(ctx, s, search, &pager, func(source json.RawMessage) (store.Revision, error) {
			k, err := s.decodeRevision(source)
			return k.Revision, err
		}, func(after sortValues) sortValues { return after })
		if err == nil && page.Total == 0 {
			err = store.NeverExisted(key)
		}
		return page, err
	})
}

// newest returns the newest revision of each guideline, by its key. The result lacks guidelines that never existed.
func (s *Store) newest(ctx context.Context, j *journal, keys ...string) (map[string]*storedRevision, error) {
	out := make(map[string]*storedRevision, len(keys))
	for len(keys) > 0 {
		some := keys[:min(batchSize, len(keys))]
		keys = keys[len(some):]
		filters := append(current(j.Tenant, j.Generation), terms("id", some))
		q := query{index: configIndex, Query: matchAll(filters...), Size: batchSize}
		r, err := s.search(ctx, &q)
		if err != nil {
			return nil, err
		}
		for i := range r.Hits.Hits {
			k, err := s.decodeRevision(r.Hits.Hits[i].Source)
			if err != nil {
				return nil, err
			}
			out[store.KeyOf(&k.Guideline)] = &k
		}
	}
	return out, nil
}

// revision returns one version of a guideline, or nil.
func (s *Store) revision(ctx context.Context, tenant, key string, version int) (*storedRevision, error) {
	found, err := s.documents(ctx, configIndex, []string{revisionID(tenant, key, version)})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for _, source := range found {
		k, err := s.decodeRevision(source)
		return &k, err
	}
	return nil, nil
}
