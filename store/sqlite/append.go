package sqlite

import (
	"context"
	"sync"

	"guardrails/store"
)

// maxBatch is how many entries one transaction takes at most, so that nobody waits long for others.
const maxBatch = 5000

// pending is one call of Append that waits to be written. The call that gets the writer's turn writes all that wait, so
// that many appends cost one wait for the disk.
type pending struct {
	entries []*store.Entry
	// done is closed when err is known.
	done chan struct{}
	err  error
}

type queue struct {
	lock    sync.Mutex
	waiting []*pending
}

func (q *queue) add(p *pending) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.waiting = append(q.waiting, p)
}

// take gives those who have waited longest, as many as go into one batch.
func (q *queue) take() []*pending {
	q.lock.Lock()
	defer q.lock.Unlock()
	count, entries := 0, 0
	for count < len(q.waiting) && (count == 0 || entries+len(q.waiting[count].entries) <= maxBatch) {
		entries += len(q.waiting[count].entries)
		count++
	}
	taken := q.waiting[:count:count]
	q.waiting = append([]*pending(nil), q.waiting[count:]...)
	return taken
}

// withdraw takes back what nobody has begun to write.
func (q *queue) withdraw(p *pending) {
	q.lock.Lock()
	defer q.lock.Unlock()
	for i := range q.waiting {
		if q.waiting[i] == p {
			q.waiting = append(q.waiting[:i:i], q.waiting[i+1:]...)
			return
		}
	}
}

// Append adds entries to the audit.
func (s *Store) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	if err := s.life.Enter(); err != nil {
		return nil, err
	}
	defer s.life.Leave()
	sealed, err := s.prepare(tenant, entries)
	if err != nil || len(entries) == 0 {
		return sealed, err
	}
	if s.writer == nil {
		return nil, s.readOnly()
	}
	p := &pending{entries: make([]*store.Entry, len(sealed)), done: make(chan struct{})}
	for i := range sealed {
		p.entries[i] = &sealed[i]
	}
	if err := s.join(ctx, p); err != nil {
		return nil, s.failure(ctx, err)
	}
	return sealed, nil
}

// prepare copies entries and checks all that can be wrong with them, so that no entry spoils the batch of others.
func (s *Store) prepare(tenant string, entries []store.Entry) ([]store.Entry, error) {
	if err := store.CheckTenant(tenant); err != nil {
		return nil, err
	}
	if len(entries) > store.MaxAppend {
		return nil, store.Errorf(store.Invalid, "%d entries are more than the %d of one append; append them in parts", len(entries), store.MaxAppend)
	}
	prepared, now := append([]store.Entry{}, entries...), s.now()
	for i := range prepared {
		if err := prepared[i].Prepare(tenant, now); err != nil {
			return nil, err
		}
	}
	return prepared, nil
}

// join waits until the entries are written by whoever gets the writer's turn.
func (s *Store) join(ctx context.Context, p *pending) error {
	if ctx.Err() != nil {
		return store.Interrupted(ctx)
	}
	s.queue.add(p)
	select {
	case s.writer.turn <- struct{}{}:
		s.lead(ctx, p)
		<-s.writer.turn
	case <-p.done:
	case <-ctx.Done():
		s.queue.withdraw(p)
		return store.Interrupted(ctx)
	}
	return p.err
}

// lead writes what waits until p is written too.
func (s *Store) lead(ctx context.Context, p *pending) {
	for {
		select {
		case <-p.done:
			return
		default:
			s.writeBatch(context.WithoutCancel(ctx), s.queue.take())
		}
	}
}

func (s *Store) writeBatch(ctx context.Context, batch []*pending) {
	err := error(store.Errorf(store.Internal, "the append was not finished"))
	defer func() {
		for _, p := range batch {
			p.err = err
			close(p.done)
		}
	}()
	err = s.transact(ctx, func(t *tx) error {
		for _, p := range batch {
			if err := t.append(p.entries); err != nil {
				return err
			}
		}
		return nil
	})
}
