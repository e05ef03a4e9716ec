package sqlite

import (
	"context"
	"errors"

	"guardrails/store"
)

// maxChanges is the maximum number of calls that change guidelines in one transaction.
const maxChanges = 128

// The type "request" is a call that changes guidelines. Waiting calls share one transaction, which syncs the disk once.
// Each request has its own error.
type request struct {
	ctx context.Context
	// run() makes the changes. It calls tx.apply only if the changes are valid.
	run func(t *tx) error
	err error
}

// writeTogether runs f in a transaction, perhaps together with other calls.
func (s *Store) writeTogether(ctx context.Context, f func(t *tx) error) error {
	if s.writer == nil {
		return s.readOnly()
	}
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	r := &request{ctx: ctx, run: f}
	own, leads, err := s.changes.Join(ctx, s.writer.lock, []*request{r})
	if leads {
		defer func() { <-s.writer.lock }()
		err = s.changes.Lead(own, maxChanges, s.makeChanges)
	}
	if err == nil {
		err = r.err
	}
	return s.failure(ctx, err)
}

// makeChanges runs requests in one transaction. A request can fail after it has written something, or because the
// database fails. In both cases, makeChanges runs each request again in its own transaction.
func (s *Store) makeChanges(requests []*request) error {
	if len(requests) == 1 {
		return s.makeAlone(requests)
	}
	alone := false
	err := s.transact(context.WithoutCancel(requests[0].ctx), func(t *tx) error {
		for _, r := range requests {
			t.applied = false
			if r.err = r.run(t); r.err != nil && (t.applied || mayHaveEnded(r.err)) {
				alone = true
				return r.err
			}
		}
		return nil
	})
	if alone {
		return s.makeAlone(requests)
	}
	return err
}

// mayHaveEnded reports whether an error may have ended the transaction. SQLite rolls a transaction back if the disk
// fails or the memory is full, even during a statement that only reads. After that, each further statement would be a
// transaction of its own.
func mayHaveEnded(err error) bool {
	var refused *store.Error
	return !errors.As(err, &refused)
}

func (s *Store) makeAlone(requests []*request) error {
	for _, r := range requests {
		r.err = s.transact(r.ctx, r.run)
	}
	return nil
}
