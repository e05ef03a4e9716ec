package service

import (
	"context"
	"sync"
	"time"
)

// takenTime is the longest time that a caller who logged a decision waits until the decision is in the audit.
const takenTime = time.Second

// The type "taking" adds the records in the spool to the audit in rounds, while callers wait. All callers that
// arrive during a round wait for the end of the next round.
type taking struct {
	mu   sync.Mutex
	busy bool
	// The field "next" is a channel that is closed at the end of the next round. It is nil if no caller waits for that
	// round.
	next chan struct{}
}

// join() returns a channel. The channel is closed at the end of a round that begins after this call of join().
func (t *taking) join(round func()) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.next == nil {
		t.next = make(chan struct{})
	}
	done := t.next
	if !t.busy {
		t.busy = true
		go t.run(round)
	}
	return done
}

// run() does rounds until no caller waits for a round.
func (t *taking) run(round func()) {
	for {
		t.mu.Lock()
		done := t.next
		t.next, t.busy = nil, done != nil
		t.mu.Unlock()
		if done == nil {
			return
		}
		round()
		close(done)
	}
}

// awaitTaken adds the records in the spool to the audit before a decision is acknowledged. Other servers with the same
// store then have the decision in the next page of the audit that these servers show. If the store takes longer than
// takenTime, the decision stays in the spool, and the regular work of the server adds it.
func (s *Service) awaitTaken(ctx context.Context) {
	if s.stores == nil || s.taking == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, takenTime)
	defer cancel()
	done := s.taking.join(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), takenTime)
		defer cancel()
		_ = s.intake().CatchUp(ctx, takenTime) // the regular work tries again, and reports errors
	})
	select {
	case <-done:
	case <-ctx.Done():
	}
}
