package elastic

import (
	"context"
	"encoding/json"
	"time"

	"guardrails/store"
)

// The indices of a store belong together: the indices of guidelines and of the audit contain everything that the
// journals list, and nothing else. If somebody restores only some indices from a snapshot, these indices are older than
// the other indices.

// checkGuidelines returns an error if the newest version in the index of guidelines is older or newer than the journal.
func (s *Store) checkGuidelines(ctx context.Context, j *journal) error {
	q, err := s.revisions(ctx, j)
	if err != nil {
		return err
	}
	q.Sort, q.Size, q.Source = order{}.by("generation", "desc"), 1, []string{"generation"}
	var newest struct {
		Generation int64 `json:"generation"`
	}
	if err := s.first(ctx, &q, &newest); err != nil || newest.Generation == j.Generation {
		return err
	}
	if newest.Generation < j.Generation {
		return s.unfit(configIndex, stateIndex)
	}
	now, err := s.journal(ctx, j.Tenant) // somebody may have written to the store since j was read
	if err == nil && newest.Generation > now.last().Generation {
		err = s.unfit(stateIndex, configIndex)
	}
	return err
}

// checkEntries returns an error if the newest entry of a chain in the audit is older or newer than the journal.
func (s *Store) checkEntries(ctx context.Context, j *journal) error {
	if err := s.refresh(ctx, auditIndex); err != nil {
		return err
	}
	others := []tree{term("tenant_id", j.Tenant)}
	for _, h := range j.Heads {
		chain := append(chainFilters(h.Chain), term("tenant_id", j.Tenant))
		others = append(others, not(matchAll(chainFilters(h.Chain)...)))
		if err := s.checkChain(ctx, j, h, matchAll(chain...)); err != nil {
			return err
		}
	}
	return s.checkChain(ctx, j, store.Head{}, matchAll(others...))
}

// checkChain compares the newest entry that matches a filter with the head of its chain (the parameter "want"). If all
// entries of the chain were pruned, there is nothing to compare.
func (s *Store) checkChain(ctx context.Context, j *journal, want store.Head, filter tree) error {
	q := query{
		index: auditIndex, Query: filter, Sort: order{}.by("seq", "desc"), Size: 1,
		Source: []string{"writer", "kind", "seq"},
	}
	newest := store.Head{Chain: store.Chain{Tenant: j.Tenant}}
	if err := s.first(ctx, &q, &newest); err != nil || newest.Seq == want.Seq {
		return err
	}
	if newest.Seq < want.Seq {
		if want.Seq == want.Base {
			return nil
		}
		return s.unfit(auditIndex, stateIndex)
	}
	now, err := s.journal(ctx, j.Tenant) // somebody may have written to the store since j was read
	if err == nil && newest.Seq > lastSeq(now.last().Heads, newest.Chain) {
		err = s.unfit(stateIndex, auditIndex)
	}
	return err
}

// last() returns the state of the tenant after the pending transaction. If no transaction is pending, it returns the
// current state.
func (j *journal) last() *pending {
	if j.Pending != nil {
		return j.Pending
	}
	return &pending{Generation: j.Generation, Heads: j.Heads}
}

// first() decodes the first document that a query finds, and stores it in *into. If there is no document, *into does
// not change.
func (s *Store) first(ctx context.Context, q *query, into any) error {
	found, err := s.search(ctx, q)
	if err != nil || len(found.Hits.Hits) == 0 {
		return err
	}
	return json.Unmarshal(found.Hits.Hits[0].Source, into)
}

func (s *Store) unfit(older, newer string) error {
	return store.Errorf(store.Unavailable,
		"at %s, %s is older than %s; restore all indices of guardrails from one snapshot",
		s.client.Address(), s.indices.name(older), s.indices.name(newer)).CausedBy(store.ErrOlder)
}

// fitsFor is how long the result of a successful checkFit is valid.
const fitsFor = 30 * time.Second

// checkFit checks that the indices belong together. It does the check before the first write to a tenant. It does the
// check again if the journal is older than before, or if the last check was at least 30 seconds ago, because an index
// can be lost or replaced while it is in use. The lock of the tenant must be held.
func (s *Store) checkFit(ctx context.Context, j *journal) error {
	l, now := s.locks.of(j.Tenant), s.now()
	if age := now.Sub(l.fitAt).Abs(); age < fitsFor && j.progress() >= l.progress.Load() {
		return nil
	}
	l.fitAt = time.Time{}
	if err := s.checkGuidelines(ctx, j); err != nil {
		return err
	}
	if err := s.checkEntries(ctx, j); err != nil {
		return err
	}
	l.fitAt = now
	l.progress.Store(j.progress())
	return nil
}

// progress() returns a number that grows with every write.
func (j *journal) progress() int64 {
	sum := j.Generation
	for _, h := range j.Heads {
		sum += h.Seq
	}
	return sum
}
