package sqlite

import "context"

// maxChanges is the maximum number of calls that change guidelines in one transaction.
const maxChanges = 128

// request is a call that changes guidelines. Waiting calls share one transaction, which syncs the disk once. Each
// has its own error.
type request struct {
	ctx context.Context
	// run makes the changes. It calls tx.apply only if the changes are valid.
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

// makeChanges runs requests in one transaction. If one of them fails after it has written something, each request
// gets a transaction of its own.
func (s *Store) makeChanges(requests []*request) error {
	if len(requests) == 1 {
		return s.makeAlone(requests)
	}
	alone := false
	err := s.transact(context.WithoutCancel(requests[0].ctx), func(t *tx) error {
		for _, r := range requests {
			t.applied = false
			if r.err = r.run(t); r.err != nil && t.applied {
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

func (s *Store) makeAlone(requests []*request) error {
	for _, r := range requests {
		r.err = s.transact(r.ctx, r.run)
	}
	return nil
}
