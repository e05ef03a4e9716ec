package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Appends collects calls of Append that wait for the lock of a writer. The call that gets the lock writes the entries
// of all waiting calls in one transaction. The zero value is ready to use.
type Appends struct {
	lock    sync.Mutex
	waiting []*Appending
}

// Appending is one call of Append.
type Appending struct {
	entries []*Entry
	// done is closed when the entries are written or have failed. err is set before that.
	done chan struct{}
	err  error
}

// PrepareAll returns copies of entries that are ready to be sealed. It checks every entry, because one invalid entry
// would make the whole batch fail, including entries of other callers.
func PrepareAll(tenant string, entries []Entry, now time.Time) ([]Entry, error) {
	if err := CheckTenant(tenant); err != nil {
		return nil, err
	}
	if len(entries) > MaxAppend {
		return nil, Errorf(Invalid, "cannot append %d entries at once; append at most %d", len(entries), MaxAppend)
	}
	prepared := append([]Entry{}, entries...)
	for i := range prepared {
		if err := prepared[i].Prepare(tenant, now); err != nil {
			return nil, err
		}
	}
	return prepared, nil
}

// Join adds entries to the waiting ones. It returns when this call gets the lock, or when another call has written the
// entries and updated them in place. If this call gets the lock, leads is true, and the caller must call Lead and then
// release the lock.
func (a *Appends) Join(
	ctx context.Context, lock chan<- struct{}, entries []Entry,
) (own *Appending, leads bool, err error) {
	if ctx.Err() != nil {
		return nil, false, Crowded(ctx)
	}
	own = &Appending{entries: make([]*Entry, len(entries)), done: make(chan struct{})}
	for i := range entries {
		own.entries[i] = &entries[i]
	}
	a.add(own)
	select {
	case lock <- struct{}{}:
		return own, true, nil
	case <-own.done:
		return own, false, own.err
	case <-ctx.Done():
		a.remove(own)
		return own, false, Interrupted(ctx)
	}
}

// Wait waits until the entries are written or have failed.
func (own *Appending) Wait(ctx context.Context) error {
	select {
	case <-own.done:
		return own.err
	case <-ctx.Done():
		return Interrupted(ctx)
	}
}

// Lead writes waiting entries in batches of at most batchSize until the caller's own entries are written. The batch
// size limits how long the caller waits for entries of other callers.
func (a *Appends) Lead(own *Appending, batchSize int, write func([]*Entry) error) error {
	for {
		select {
		case <-own.done:
			return own.err
		default:
			a.writeBatch(batchSize, write)
		}
	}
}

func (a *Appends) writeBatch(batchSize int, write func([]*Entry) error) {
	batch, entries := a.take(batchSize)
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

// take removes the calls that wait longest, as many as fit into a batch. It returns these calls and their entries.
func (a *Appends) take(batchSize int) (batch []*Appending, entries []*Entry) {
	a.lock.Lock()
	defer a.lock.Unlock()
	count := 0
	for count < len(a.waiting) && (count == 0 || len(entries)+len(a.waiting[count].entries) <= batchSize) {
		entries = append(entries, a.waiting[count].entries...)
		count++
	}
	batch = a.waiting[:count:count]
	a.waiting = append([]*Appending(nil), a.waiting[count:]...)
	return batch, entries
}

// remove removes a call from the waiting ones. If the call is already part of a batch, remove does nothing.
func (a *Appends) remove(one *Appending) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if i := slices.Index(a.waiting, one); i >= 0 {
		a.waiting = append(a.waiting[:i:i], a.waiting[i+1:]...)
	}
}
