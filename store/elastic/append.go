package elastic

import (
	"context"

	"guardrails/store"
)

// maxBatch is how many entries one transaction takes at most, so that nobody waits long for others.
const maxBatch = 2000

// waiting is one call of Append that waits to be written. The call that gets the tenant's turn writes all that wait, so that
// many appends cost one transaction.
type waiting struct {
	entries []*store.Entry
	// done is closed when err is known.
	done chan struct{}
	err  error
}

func (l *lane) add(w *waiting) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.waiting = append(l.waiting, w)
}

// take gives those who have waited longest, as many as go into one batch.
func (l *lane) take() []*waiting {
	l.lock.Lock()
	defer l.lock.Unlock()
	count, entries := 0, 0
	for count < len(l.waiting) && (count == 0 || entries+len(l.waiting[count].entries) <= maxBatch) {
		entries += len(l.waiting[count].entries)
		count++
	}
	taken := l.waiting[:count:count]
	l.waiting = append([]*waiting(nil), l.waiting[count:]...)
	return taken
}

// withdraw takes back what nobody has begun to write.
func (l *lane) withdraw(w *waiting) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for i := range l.waiting {
		if l.waiting[i] == w {
			l.waiting = append(l.waiting[:i:i], l.waiting[i+1:]...)
			return
		}
	}
}

// Append adds entries to the audit.
func (s *Store) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	sealed, err := s.prepareEntries(tenant, entries)
	if err != nil {
		return nil, err
	}
	w := &waiting{entries: make([]*store.Entry, len(sealed)), done: make(chan struct{})}
	for i := range sealed {
		w.entries[i] = &sealed[i]
	}
	if err := s.join(ctx, tenant, w); err != nil {
		return nil, err
	}
	return sealed, nil
}

// prepareEntries copies entries and checks all that can be wrong with them, so that no entry spoils the batch of others.
func (s *Store) prepareEntries(tenant string, entries []store.Entry) ([]store.Entry, error) {
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

// join waits until the entries are written by whoever gets the tenant's turn.
func (s *Store) join(ctx context.Context, tenant string, w *waiting) error {
	if err := s.life.Enter(); err != nil {
		return err
	}
	defer s.life.Leave()
	if ctx.Err() != nil {
		return store.Interrupted(ctx)
	}
	if len(w.entries) == 0 {
		return nil
	}
	l := s.lanes.of(tenant)
	l.add(w)
	select {
	case l.turn <- struct{}{}:
		s.life.Split()
		go s.lead(context.WithoutCancel(ctx), tenant, l, w)
	case <-w.done:
		return w.err
	case <-ctx.Done():
		l.withdraw(w)
		return store.Interrupted(ctx)
	}
	select {
	case <-w.done:
		return w.err
	case <-ctx.Done():
		return store.Interrupted(ctx)
	}
}

// lead writes what waits until w is written too, and gives the turn back.
func (s *Store) lead(ctx context.Context, tenant string, l *lane, w *waiting) {
	defer s.life.Leave()
	defer func() { <-l.turn }()
	for {
		select {
		case <-w.done:
			return
		default:
			s.writeBatch(ctx, tenant, l.take())
		}
	}
}

func (s *Store) writeBatch(ctx context.Context, tenant string, batch []*waiting) {
	var entries []*store.Entry
	for _, w := range batch {
		entries = append(entries, w.entries...)
	}
	err := s.transact(ctx, tenant, func(j *journal) (*transaction, error) {
		t := s.begin(j)
		if _, err := s.seal(ctx, t, entries); err != nil || len(t.actions) == 0 {
			return nil, err
		}
		return t, nil
	})
	err = s.failure(ctx, err)
	for _, w := range batch {
		w.err = err
		close(w.done)
	}
}
