package elastic

import (
	"context"
	"encoding/json"

	"guardrails/store"
)

// Generations returns for each tenant the number of writes that changed its guidelines.
func (s *Store) Generations(ctx context.Context, tenants ...string) ([]int64, error) {
	if err := s.calls.Begin(); err != nil {
		return nil, err
	}
	defer s.calls.End()
	ids := make([]string, len(tenants))
	for i, tenant := range tenants {
		if err := store.CheckTenant(tenant); err != nil {
			return nil, err
		}
		ids[i] = documentID(kindJournal, tenant)
	}
	found, err := s.find(ctx, s.addresses(stateIndex, ids), "generation")
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	out := make([]int64, len(tenants))
	for i, id := range ids {
		var j journal
		if source := found[id].Source; source != nil {
			err = json.Unmarshal(source, &j)
		}
		if out[i] = j.Generation; err != nil {
			return nil, s.failure(ctx, err)
		}
	}
	return out, nil
}

// Changes returns what changed in the guidelines of a tenant. The index of guidelines is the log of changes: each
// change adds a version that contains the generation of the change, and no version is ever removed.
func (s *Store) Changes(ctx context.Context, tenant string, since store.Moment) (store.Changes, error) {
	return read(ctx, s, tenant, func(ctx context.Context, j *journal) (store.Changes, error) {
		if own, ok, err := s.ownChangesAt(ctx, j, &since); ok || err != nil {
			return own, err
		}
		if err := s.checkGuidelines(ctx, j); err != nil {
			return store.Changes{}, err
		}
		continued, err := s.hasAllUntil(ctx, &since, j)
		if err != nil {
			return store.Changes{}, err
		}
		if !continued {
			set, err := s.allAt(ctx, j)
			return set.Whole(), err
		}
		return s.changesAt(ctx, j, since.Generation)
	})
}

// moment() returns the moment of a journal. The next call of Changes continues after the generation of this moment.
func (j *journal) moment() store.Moment {
	return store.Moment{Generation: j.Generation, Heads: j.Heads}
}

// moment() returns the moment after a transaction.
func (p *pending) moment() store.Moment {
	return store.Moment{Generation: p.Generation, Heads: p.Heads}
}

// hasAllUntil reports whether the store still contains every change that was made up to a given moment. The parameter
// "since" is this moment.
func (s *Store) hasAllUntil(ctx context.Context, since *store.Moment, j *journal) (bool, error) {
	now := j.moment()
	if !since.ContinuedBy(&now) {
		return false, nil
	}
	for _, h := range since.ChangeHeads() {
		if held, err := s.hasHead(ctx, j, h); err != nil || !held {
			return false, err
		}
	}
	return true, nil
}

// changesAt returns what changed after an earlier generation, up to the generation of a journal.
func (s *Store) changesAt(ctx context.Context, j *journal, since int64) (store.Changes, error) {
	c := store.Changes{Moment: j.moment()}
	q, err := s.revisions(ctx, j, append(current(j.Generation), span("generation", tree{"gt": since}))...)
	if err != nil {
		return c, err
	}
	q.Sort = order{}.by("id", "asc")
	err = s.eachDocument(ctx, q, func(source json.RawMessage) error {
		k, err := s.decodeRevision(source)
		if k.Deleted {
			c.Removed = append(c.Removed, store.KeyOf(&k.Guideline))
		} else {
			c.Changed = append(c.Changed, k.Guideline)
		}
		return err
	})
	return c, err
}
