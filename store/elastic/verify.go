package elastic

import (
	"context"
	"encoding/json"

	"guardrails/store"
)

// Heads gives the newest entry of every chain of a tenant.
func (s *Store) Heads(ctx context.Context, tenant string) ([]store.Head, error) {
	return read(ctx, s, tenant, func(j *journal) ([]store.Head, error) { return append([]store.Head{}, j.Heads...), nil })
}

// Verify reads the whole audit of a tenant. What is written meanwhile is left for the next time.
func (s *Store) Verify(ctx context.Context, tenant string, noted ...store.Head) ([]store.Verdict, error) {
	return read(ctx, s, tenant, func(*journal) (verdicts []store.Verdict, err error) {
		err = s.audit(ctx, tenant, func(a *audited) error {
			v := store.NewVerification(tenant, a.Heads, noted)
			err := s.eachEntry(ctx, a, func(place store.Head, e store.Entry, err error) error {
				if err != nil {
					v.Unreadable(place.Chain, place.Seq, err.Error())
					return nil
				}
				if !a.later(&e) {
					v.Next(place.Chain, &e)
				}
				return nil
			})
			if err != nil {
				return err
			}
			err = s.compare(ctx, a.journal, v.Guidelines())
			verdicts = v.Verdicts()
			return err
		})
		return verdicts, err
	})
}

// later tells whether an entry came after the moment that is verified: past the end of its chain then, and before the
// end of it now.
func (a *audited) later(e *store.Entry) bool {
	return e.Seq > end(a.Heads, e.Chain()) && e.Seq <= end(a.latest, e.Chain())
}

func end(heads []store.Head, c store.Chain) int64 {
	for _, h := range heads {
		if h.Chain == c {
			return h.Seq
		}
	}
	return 0
}

// eachEntry gives the entries of a tenant, those of each chain in order, with the place that the index has for them.
func (s *Store) eachEntry(ctx context.Context, a *audited, f func(place store.Head, e store.Entry, err error) error) error {
	q := question{
		Moment: a.moment, Query: all(a.entries()...),
		Sort: order{}.by("writer", "asc").by("kind", "asc").by("seq", "asc").by("id", "asc"),
	}
	return s.each(ctx, q, func(source json.RawMessage) error {
		var place store.Head
		if err := json.Unmarshal(source, &place); err != nil {
			return f(store.Head{Chain: store.Chain{Tenant: a.Tenant, Kind: store.KindChange}}, store.Entry{}, err)
		}
		e, err := decodeEntry(source)
		return f(place, e, err)
	})
}

// compare gives a comparison every revision and what readers see.
func (s *Store) compare(ctx context.Context, j *journal, c *store.Comparison) error {
	var last kept
	return s.eachRevision(ctx, j, func(k kept, place revisionPlace, err error) error {
		if err == nil {
			err = s.misplaced(&k, &last, &place)
		}
		if err != nil {
			c.Unreadable(place.ID, place.Version, err.Error())
			return nil
		}
		c.Revision(&k.Revision)
		if !k.Deleted && (k.superseded == 0 || k.superseded > j.Generation) {
			c.Listed(k.Guideline.ID, k.Guideline.Version)
		}
		last = k
		return nil
	})
}

// misplaced says what readers would find otherwise than it was written: each version has to end where the next one
// begins, and what lists are sorted and searched by has to be that of the guideline.
func (s *Store) misplaced(k, last *kept, place *revisionPlace) error {
	if last.Guideline.ID == k.Guideline.ID && last.superseded != k.generation {
		return store.Errorf(store.Internal, "readers see it at other times than those at which it was the newest")
	}
	want, err := k.encode()
	if err != nil {
		return err
	}
	if same, err := sameJSON(want, place.source); err != nil || !same {
		return store.Errorf(store.Internal, "what lists are sorted and searched by is not that of the guideline")
	}
	return nil
}
