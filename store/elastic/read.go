package elastic

import (
	"context"
	"encoding/json"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// read() runs f with the journal of a tenant. f must use the context that it gets.
func read[T any](
	ctx context.Context, s *Store, tenant string, f func(ctx context.Context, j *journal) (T, error),
) (result T, err error) {
	if err := s.calls.Begin(); err != nil {
		return result, err
	}
	defer s.calls.End()
	if err := store.CheckTenant(tenant); err != nil {
		return result, err
	}
	ctx = cluster.OnOneNode(ctx)
	j, err := s.journalForReaders(ctx, tenant)
	if err == nil {
		result, err = f(ctx, j)
	}
	return result, s.failure(ctx, err)
}

// Get returns one guideline.
func (s *Store) Get(ctx context.Context, tenant, key string) (guideline.Guideline, error) {
	return read(ctx, s, tenant, func(ctx context.Context, j *journal) (guideline.Guideline, error) {
		q, err := s.revisions(ctx, j, append(visible(j.Generation), term("id", key))...)
		if err != nil {
			return guideline.Guideline{}, err
		}
		q.Size = 1
		r, err := s.search(ctx, &q)
		if err != nil {
			return guideline.Guideline{}, err
		}
		if len(r.Hits.Hits) == 0 {
			return guideline.Guideline{}, store.NoGuideline(key)
		}
		k, err := s.decodeRevision(r.Hits.Hits[0].Source)
		return k.Guideline, err
	})
}

// All is a method that returns every guideline of a tenant.
func (s *Store) All(ctx context.Context, tenant string) (store.Set, error) {
	return read(ctx, s, tenant, func(ctx context.Context, j *journal) (store.Set, error) {
		if err := s.checkGuidelines(ctx, j); err != nil {
			return store.Set{}, err
		}
		return s.allAt(ctx, j)
	})
}

// allAt returns every guideline that a tenant has at the generation of the tenant's journal.
func (s *Store) allAt(ctx context.Context, j *journal) (store.Set, error) {
	set := store.Set{Guidelines: []guideline.Guideline{}, Moment: j.moment()}
	q, err := s.revisions(ctx, j, visible(j.Generation)...)
	if err != nil {
		return set, err
	}
	q.Sort = order{}.by("id", "asc")
	err = s.eachDocument(ctx, q, func(source json.RawMessage) error {
		k, err := s.decodeRevision(source)
		set.Guidelines = append(set.Guidelines, k.Guideline)
		return err
	})
	return set, err
}
