package elastic

import (
	"context"
	"encoding/json"

	"guardrails/guideline"
	"guardrails/store"
)

// maxChanges is the maximum number of requests in one transaction.
const maxChanges = 128

// The type "request" is a call that changes guidelines. All waiting requests of a tenant share one transaction, but
// each request has its own result: if one request cannot be planned, the changes of the other requests are still made.
type request struct {
	write       store.Write
	fingerprint string
	// The list "keys" has the keys of the guidelines whose newest revisions the function plan() needs.
	keys []string
	// plan() returns the changes and their result.
	plan func(ctx context.Context, p store.Planner, newest func(key string) *store.Revision) (
		[]store.Change, store.ImportResult, error)

	changes []store.Change
	result  store.ImportResult
	// The field "guideline" is set if the request changes one guideline.
	guideline guideline.Guideline
	err       error
}

func newRequest(w store.Write, operation string, arguments []any, keys []string) (*request, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	fingerprint, err := store.Fingerprint(operation, arguments...)
	return &request{write: w, fingerprint: fingerprint, keys: keys}, err
}

// submit() makes the changes of a request together with the changes of other waiting requests. If the result "finished"
// is false, the request has no result yet: the call failed as a whole, or ctx ended first. If ctx ended first, the
// changes may still be made later.
func (s *Store) submit(ctx context.Context, r *request) (finished bool, err error) {
	if err := s.calls.Begin(); err != nil {
		return false, err
	}
	defer s.calls.End()
	if err := store.CheckTenant(r.write.Tenant); err != nil {
		return false, err
	}
	l := s.locks.of(r.write.Tenant)
	own, leads, err := l.changes.Join(ctx, l.lock, []*request{r})
	if leads {
		s.lead(ctx, l, own, r.write.Tenant)
		err = own.Wait(ctx)
	}
	if err != nil {
		return false, err
	}
	return true, s.failure(ctx, r.err)
}

// lead() makes the changes of waiting requests until the changes of its own request are made. It continues even after
// ctx has ended, because other calls wait for their changes.
func (s *Store) lead(ctx context.Context, l *tenantLock, own *store.Waiting[*request], tenant string) {
	s.calls.Fork()
	go func() {
		defer s.calls.End()
		defer func() { <-l.lock }()
		detached := context.WithoutCancel(ctx)
		_ = l.changes.Lead(own, maxChanges, func(requests []*request) error { // own.Wait returns the error
			return s.failure(detached, s.makeChanges(detached, tenant, requests))
		})
	}()
}

// makeChanges makes the changes of all requests in one transaction. It stores the result of each request under its
// write id.
func (s *Store) makeChanges(ctx context.Context, tenant string, requests []*request) error {
	var b *batch
	var t *transaction
	err := s.transact(ctx, tenant, func(ctx context.Context, j *journal) (_ *transaction, err error) {
		t = nil
		if b, err = s.newBatch(ctx, j, requests); err != nil {
			return nil, err
		}
		for again := true; again; {
			if err := b.plan(ctx); err != nil {
				return nil, err
			}
			if again, err = b.refuseReused(ctx); err != nil {
				return nil, err
			}
		}
		t, err = b.transaction()
		return t, err
	})
	if err == nil && t != nil {
		l, changed := s.locks.of(tenant), b.changed()
		l.own.note(t, b, changed)
		l.unseen.note(t.from.moment(), t.next.moment(), changed)
	}
	return err
}

// recall() reads the result that is stored under the write id of a request.
func (s *Store) recall(ctx context.Context, r *request, text json.RawMessage) error {
	var before writeResult
	if err := json.Unmarshal(text, &before); err != nil {
		return err
	}
	if before.Fingerprint != r.fingerprint {
		r.err = store.Reused(r.write.ID)
		return nil
	}
	if err := json.Unmarshal(before.Result, &r.result); err != nil {
		return err
	}
	items := r.result.Items
	if len(items) != 1 {
		return nil
	}
	k, err := s.revision(ctx, r.write.Tenant, items[0].Key(), items[0].Version)
	if err == nil && k != nil {
		r.guideline = k.Guideline
	}
	return err
}

// repeat() copies the result of an earlier request in the batch to a request that has the same write id. The parameter
// "first" is the earlier request.
func (r *request) repeat(first *request) {
	if r.fingerprint != first.fingerprint {
		r.err = store.Reused(r.write.ID)
		return
	}
	r.result, r.guideline = first.result, first.guideline
}

func writtenID(w *store.Write) string { return documentID(kindWritten, w.Tenant, w.ID) }
