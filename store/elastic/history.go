package elastic

import (
	"context"
	"encoding/json"
	"slices"

	"guardrails/store"
)

// History returns one page of the revisions of a guideline, newest first.
func (s *Store) History(ctx context.Context, tenant, key string, p store.Paging) (store.Page[store.Revision], error) {
	pager, err := store.NewPager[sortValues](p, "elastic history", tenant, key)
	if err != nil {
		return store.Page[store.Revision]{}, err
	}
	return read(ctx, s, tenant, func(ctx context.Context, j *journal) (store.Page[store.Revision], error) {
		search, err := s.revisions(ctx, j, term("id", key), span("generation", tree{"lte": j.Generation}))
		if err != nil {
			return store.Page[store.Revision]{}, err
		}
		search.Sort = order{}.by("version", "desc")
		if pager.Place != nil {
			search.After = *pager.Place
		}
		page, err := readPage(ctx, s, search, &pager, func(source json.RawMessage) (store.Revision, error) {
			k, err := s.decodeRevision(source)
			return k.Revision, err
		})
		if err == nil && page.Total == 0 {
			err = store.NeverExisted(key)
		}
		return page, err
	})
}

// newest() returns the newest revision of each guideline. The keys of the result are the keys of the guidelines. The
// result has no entry for a guideline that never existed. If no other process has changed guidelines since the last
// refresh, the method does not refresh the index, because this process remembers its own changes.
func (s *Store) newest(ctx context.Context, j *journal, keys ...string) (map[string]*storedRevision, error) {
	now := j.moment()
	unseen, known := s.locks.of(j.Tenant).unseen.at(&now)
	if !known {
		if err := s.showChanges(ctx, j); err != nil {
			return nil, err
		}
	}
	out := make(map[string]*storedRevision, len(keys))
	var others []string
	for _, key := range keys {
		if unseen[key] == nil {
			others = append(others, key)
			continue
		}
		k, err := s.asStored(unseen[key])
		if err != nil {
			return nil, err
		}
		out[key] = &k
	}
	for some := range slices.Chunk(others, batchSize) {
		filters := append(current(j.Generation), term("tenant_id", j.Tenant), terms("id", some))
		r, err := s.search(ctx, &query{index: configIndex, Query: matchAll(filters...), Size: batchSize})
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

// revision() returns one version of a guideline, or nil.
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
