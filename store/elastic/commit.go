package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"guardrails/store"
)

const (
	// pollEvery is how often it is looked whether another writer is done.
	pollEvery = 20 * time.Millisecond
	// patience is how long another writer has to finish what it committed; patienceParts the same for large transactions.
	patience      = time.Second
	patienceParts = 5 * time.Second
	// maxMoves is how often others may be faster before a write is given up.
	maxMoves = 100
	// maxInline is how much of a transaction stands in the journal itself, in bytes.
	maxInline = 256 << 10
)

// errMoved tells that another writer was faster.
var errMoved = errors.New("another writer was faster")

// transaction is what is to happen as a whole, beginning where a tenant stands.
type transaction struct {
	from    *journal
	next    pending
	actions []action
}

func (s *Store) begin(j *journal) *transaction {
	heads := append([]store.Head{}, j.Heads...)
	return &transaction{from: j, next: pending{ID: store.NewID(s.now()), Handle: s.handle, Generation: j.Generation, Heads: heads}}
}

func (t *transaction) add(index, id string, replace bool, doc any) error {
	a, err := newAction(index, id, replace, doc)
	t.actions = append(t.actions, a)
	return err
}

// transact plans a transaction from where the tenant stands, and makes it happen; it plans anew when another writer was
// faster. A plan without a transaction is done. The caller has the tenant's turn in this process.
//
// That an answer was lost needs no care here: planning anew finds out by write ids and entries what happened already.
func (s *Store) transact(ctx context.Context, tenant string, plan func(j *journal) (*transaction, error)) error {
	for range maxMoves {
		j, err := s.ready(ctx, tenant)
		if err != nil {
			return err
		}
		t, err := plan(j)
		if err != nil || t == nil {
			return err
		}
		if err := s.commit(ctx, t); !errors.Is(err, errMoved) {
			return err
		}
		if !wait(ctx, rand.N(pollEvery)) {
			return store.Interrupted(ctx)
		}
	}
	return store.Errorf(store.Unavailable, "other writers of the tenant were faster %d times; try again with the same write id", maxMoves)
}

// ready gives a journal with nothing pending. What another writer committed and did not finish is finished here.
func (s *Store) ready(ctx context.Context, tenant string) (*journal, error) {
	seen, waited := "", time.Duration(0)
	for {
		j, err := s.journal(ctx, tenant)
		if err != nil || j.Pending == nil {
			return j, err
		}
		limit := patience
		if j.Pending.Parts > 0 {
			limit = patienceParts
		}
		if j.Pending.ID != seen {
			seen, waited = j.Pending.ID, 0
		}
		// What this connection has pending while nobody else has the turn was left behind.
		if j.Pending.Handle == s.handle || waited > limit {
			if err := s.settle(ctx, j); err != nil {
				return nil, err
			}
			continue
		}
		if !wait(ctx, pollEvery) {
			return nil, store.Interrupted(ctx)
		}
		waited += pollEvery
	}
}

// commit makes a transaction happen. Once the journal has it, it happened, whoever carries it out.
func (s *Store) commit(ctx context.Context, t *transaction) error {
	if err := s.storeActions(ctx, t); err != nil {
		return err
	}
	j := *t.from
	j.Pending = &t.next
	err := s.writeJournal(ctx, &j)
	if isRefusal(err, http.StatusConflict) {
		return s.committed(ctx, t)
	}
	if err != nil {
		return err
	}
	return s.settle(ctx, &j)
}

// committed goes on with a transaction when the journal changed: the answer to an earlier attempt may have been lost.
func (s *Store) committed(ctx context.Context, t *transaction) error {
	j, err := s.journal(ctx, t.from.Tenant)
	if err != nil {
		return err
	}
	if j.Pending == nil || j.Pending.ID != t.next.ID {
		return errors.Join(errMoved, s.dropParts(ctx, t.from.Tenant, &t.next))
	}
	return s.settle(ctx, j)
}

// settle carries out what a journal has pending and shows it to readers.
func (s *Store) settle(ctx context.Context, j *journal) error {
	p := j.Pending
	if err := s.carryOutPending(ctx, j.Tenant, p); err != nil {
		return err
	}
	done := *j
	done.Generation, done.Heads, done.Pending = p.Generation, p.Heads, nil
	// A transaction is replaced in the journal only when it was carried out, so a conflict tells that somebody did it all.
	if err := s.writeJournal(ctx, &done); err != nil && !isRefusal(err, http.StatusConflict) {
		return err
	}
	return s.dropParts(ctx, j.Tenant, p)
}

// carryOutPending writes the documents of a transaction. Searches see guidelines before readers are told of them.
func (s *Store) carryOutPending(ctx context.Context, tenant string, p *pending) error {
	return s.eachPortion(ctx, tenant, p, func(actions []action) error {
		guidelines, rest := divide(actions)
		if err := s.carryOut(ctx, rest, false); err != nil {
			return err
		}
		return s.carryOut(ctx, guidelines, true)
	})
}

func divide(actions []action) (guidelines, rest []action) {
	for i := range actions {
		if actions[i].Index == configIndex {
			guidelines = append(guidelines, actions[i])
		} else {
			rest = append(rest, actions[i])
		}
	}
	return guidelines, rest
}

// written is what a write id did.
type written struct {
	Kind        string          `json:"kind"`
	Tenant      string          `json:"tenant_id"`
	Fingerprint string          `json:"fingerprint"`
	Result      json.RawMessage `json:"result"`
}
