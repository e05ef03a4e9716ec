package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Appends are the calls of Append that wait for a writer's turn. The one that gets it writes all that wait, so that many
// appends cost one transaction.
type Appends struct {
	lock    sync.Mutex
	waiting []*Appending
}

// Appending is one call of Append.
type Appending struct {
	entries []*Entry
	// done is closed when err is known.
	done chan struct{}
	err  error
}

// PrepareAll copies entries and checks all that can be wrong with them, so that no entry spoils the batch of others.
func PrepareAll(tenant string, entries []Entry, now time.Time) ([]Entry, error) {
	if err := CheckTenant(tenant); err != nil {
		return nil, err
	}
	if len(entries) > MaxAppend {
		return nil, Errorf(Invalid, "%d entries are more than the %d of one append; append them in parts", len(entries), MaxAppend)
	}
	prepared := append([]Entry{}, entries...)
	for i := range prepared {
		if err := prepared[i].Prepare(tenant, now); err != nil {
			return nil, err
		}
	}
	return prepared, nil
}

// Join waits until entries are written, in place, by whoever has the turn. If the caller gets it instead, leads is true:
// then it has to Lead and to give the turn back.
func (a *Appends) Join(ctx context.Context, turn chan<- struct{}, entries []Entry) (own *Appending, leads bool, err error) {
	if ctx.Err() != nil {
		return nil, false, Interrupted(ctx)
	}
	own = &Appending{entries: make([]*Entry, len(entries)), done: make(chan struct{})}
	for i := range entries {
		own.entries[i] = &entries[i]
	}
	a.add(own)
	select {
	case turn <- struct{}{}:
		return own, true, nil
	case <-own.done:
		return own, false, own.err
	case <-ctx.Done():
		a.withdraw(own)
		return own, false, Interrupted(ctx)
	}
}

// Wait waits for who leads.
func (own *Appending) Wait(ctx context.Context) error {
	select {
	case <-own.done:
		return own.err
	case <-ctx.Done():
		return Interrupted(ctx)
	}
}

// Lead writes what waits until the caller's own is written too, at most so many entries at once, so that nobody waits long
// for others.
func (a *Appends) Lead(own *Appending, most int, write func([]*Entry) error) error {
	for {
		select {
		case <-own.done:
			return own.err
		default:
			a.write(most, write)
		}
	}
}

func (a *Appends) write(most int, write func([]*Entry) error) {
	batch, entries := a.take(most)
	err := error(Errorf(Internal, "the append was not finished"))
	defer func() {
		for _, one := range batch {
			one.err = err
			close(one.done)
		}
	}()
	err = write(entries)
}

func (a *Appends) add(one *Appending) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.waiting = append(a.waiting, one)
}

// take gives those who have waited longest, as many as go into one batch.
func (a *Appends) take(most int) (batch []*Appending, entries []*Entry) {
	a.lock.Lock()
	defer a.lock.Unlock()
	count := 0
	for count < len(a.waiting) && (count == 0 || len(entries)+len(a.waiting[count].entries) <= most) {
		entries = append(entries, a.waiting[count].entries...)
		count++
	}
	batch = a.waiting[:count:count]
	a.waiting = append([]*Appending(nil), a.waiting[count:]...)
	return batch, entries
}

// withdraw takes back what nobody has begun to write.
func (a *Appends) withdraw(one *Appending) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if i := slices.Index(a.waiting, one); i >= 0 {
		a.waiting = append(a.waiting[:i:i], a.waiting[i+1:]...)
	}
}
