package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

const (
	// pollInterval is the time between two checks whether the servers or another writer have finished.
	pollInterval = 20 * time.Millisecond
	// settleTimeout is how long another writer may take to finish its transaction. largeSettleTimeout is this limit for
	// a transaction that is stored in several parts.
	settleTimeout      = time.Second
	largeSettleTimeout = 5 * time.Second
	// maxConflicts is the number of conflicts with other writers after which a write fails.
	maxConflicts = 100
)

// errConflict means that another writer has changed the journal in the meantime.
var errConflict = errors.New("another writer was faster")

// The type "transaction" is a set of actions that happen together or not at all. The field "from" has the journal on
// which the transaction was planned. The transaction can be committed only if the journal has not changed since then.
type transaction struct {
	from    *journal
	next    pending
	actions []action
}

func (s *Store) begin(j *journal) *transaction {
	heads := append([]store.Head{}, j.Heads...)
	next := pending{
		ID: store.NewID(s.now()), Handle: s.handle, Generation: j.Generation, Heads: heads, Segment: j.target(),
	}
	return &transaction{from: j, next: next}
}

func (t *transaction) add(index, id string, replace bool, doc any) error {
	a, err := newAction(index, id, replace, doc)
	t.actions = append(t.actions, a)
	return err
}

// transact() calls plan() to plan a transaction on the current journal, and commits the transaction. If another writer
// commits first, the method plans the transaction again on the new journal. If plan() returns no transaction, there is
// nothing to do. The lock of the tenant must be held.
//
// A lost answer needs no special care. If the transaction was committed, the next call of plan() finds the write id and
// the entries of the transaction in the store.
func (s *Store) transact(
	ctx context.Context, tenant string, plan func(context.Context, *journal) (*transaction, error),
) error {
	ctx = cluster.OnOneNode(ctx)
	for range maxConflicts {
		j, err := s.ready(ctx, tenant)
		if err != nil {
			return store.Untouched(s.failure(ctx, err))
		}
		if err := s.checkWritable(ctx, j); err != nil {
			return err
		}
		t, err := plan(ctx, j)
		if err != nil || t == nil {
			return err
		}
		if err := s.commit(ctx, t); !errors.Is(err, errConflict) {
			return err
		}
		if !cluster.Wait(ctx, rand.N(pollInterval)) {
			return store.Interrupted(ctx)
		}
	}
	return store.Errorf(
		store.Unavailable, "other writers were faster %d times in a row; try again with the same write id", maxConflicts,
	)
}

// ready() returns a journal without a pending transaction. If another writer does not finish its committed transaction
// in time, the method finishes this transaction.
func (s *Store) ready(ctx context.Context, tenant string) (*journal, error) {
	seen, waited := "", time.Duration(0)
	for {
		j, err := s.upToDate(ctx, tenant, func() (*journal, error) { return s.journalForWriters(ctx, tenant) })
		if err != nil || j.Pending == nil {
			return j, err
		}
		limit := settleTimeout
		if j.Pending.Parts > 0 {
			limit = largeSettleTimeout
		}
		if j.Pending.ID != seen {
			seen, waited = j.Pending.ID, 0
		}
		// This connection holds the lock of the tenant, so none of the connection's own writes is running. If it has
		// committed a transaction that is still pending, then the write of this transaction was interrupted.
		if j.Pending.Handle == s.handle || waited > limit {
			if err := s.settle(ctx, j); err != nil {
				return nil, err
			}
			continue
		}
		if !cluster.Wait(ctx, pollInterval) {
			return nil, store.Interrupted(ctx)
		}
		waited += pollInterval
	}
}

// commit() writes a transaction to the journal. As soon as the transaction is in the journal, it is committed, and any
// writer may execute it.
func (s *Store) commit(ctx context.Context, t *transaction) error {
	if err := s.storeActions(ctx, t); err != nil {
		return err
	}
	j := *t.from
	j.Pending = &t.next
	err := s.writeJournal(ctx, &j)
	if cluster.IsRefusal(err, http.StatusConflict) {
		return s.resolveConflict(ctx, t)
	}
	if err != nil {
		return s.maybeCommitted(ctx, t, err)
	}
	return s.unfinished(ctx, s.settle(ctx, &j))
}

// maybeCommitted returns the error after the servers have refused to write a transaction to the journal. If the answer
// to an earlier attempt was lost, the transaction may be in the journal anyway.
func (s *Store) maybeCommitted(ctx context.Context, t *transaction, refused error) error {
	if !store.ChangedNothing(s.failure(ctx, refused)) {
		return refused
	}
	if j, err := s.journal(ctx, t.from.Tenant); err == nil && j.state == t.from.state {
		return refused
	}
	return s.unfinished(ctx, refused)
}

// unfinished() returns the error for a transaction that was committed, but could not be executed. The next writer
// executes it, so the error must not say that nothing was changed.
func (s *Store) unfinished(ctx context.Context, err error) error {
	if err = s.failure(ctx, err); !store.ChangedNothing(err) {
		return err
	}
	return store.Errorf(store.Unavailable,
		"the change may still take effect; check whether it did, or repeat it with the same write id: %w", err)
}

// commit() calls resolveConflict if the servers refuse the new journal because the stored journal has changed. This
// connection may have changed the stored journal itself, in an attempt whose answer was lost.
func (s *Store) resolveConflict(ctx context.Context, t *transaction) error {
	j, err := s.journal(ctx, t.from.Tenant)
	if err != nil {
		return err
	}
	if j.Pending == nil || j.Pending.ID != t.next.ID {
		return errors.Join(errConflict, s.dropParts(ctx, t.from.Tenant, &t.next))
	}
	return s.unfinished(ctx, s.settle(ctx, j))
}

// settle() executes the pending transaction of a journal and shows its changes to readers.
func (s *Store) settle(ctx context.Context, j *journal) error {
	p := j.Pending
	if err := s.executePending(ctx, j.Tenant, p); err != nil {
		return err
	}
	done := *j
	done.Generation, done.Heads, done.Segment, done.Pending = p.Generation, p.Heads, p.Segment, nil
	// A journal with a pending transaction changes only when a writer has executed that transaction. A conflict
	// therefore means that another writer has executed the transaction.
	if err := s.writeJournal(ctx, &done); err != nil && !cluster.IsRefusal(err, http.StatusConflict) {
		return err
	}
	s.locks.of(j.Tenant).progress.Store(done.progress())
	return s.dropParts(ctx, j.Tenant, p)
}

// executePending writes the documents of a transaction. Searches need not see these documents yet: readers refresh an
// index when the tenant's journal shows a change.
func (s *Store) executePending(ctx context.Context, tenant string, p *pending) error {
	return s.eachPortion(ctx, tenant, p, func(actions []action) error { return s.executeInSegments(ctx, actions) })
}

// writeResult is the document with the result that is stored under a write id.
type writeResult struct {
	Kind        string          `json:"kind"`
	Tenant      string          `json:"tenant_id"`
	Fingerprint string          `json:"fingerprint"`
	Result      json.RawMessage `json:"result"`
}
