package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Group collects calls that wait for the lock of a writer. The call that gets the lock writes the items of all waiting
// calls in one transaction. The zero value is ready to use.
type Group[T any] struct {
	lock    sync.Mutex
	waiting []*Waiting[T]
}

// Appends collects calls of Append.
type Appends = Group[*Entry]

// Waiting is one call that waits in a Group.
type Waiting[T any] struct {
	items []T
	// The channel "done" is closed when the items are written or have failed. The field err is set before the channel is
	// closed.
	done chan struct{}
	err  error
}

// PrepareAll returns copies of entries that are ready to be sealed. It checks every entry, because one invalid entry
// would make the whole batch fail, including items of other callers.
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

// Pointers returns pointers to the items of a list.
func Pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// Join adds a call with items to the group. It returns when the added call gets the lock, or when another call has
// written the items of the added call and updated them in place. If the added call gets the lock, the result "leads" is
// true. The caller must then call Lead and release the lock.
func (a *Group[T]) Join(ctx context.Context, lock chan<- struct{}, items []T) (own *Waiting[T], leads bool, err error) {
	if ctx.Err() != nil {
		return nil, false, Crowded(ctx)
	}
	own = &Waiting[T]{items: items, done: make(chan struct{})}
	a.add(own)
	select {
	case lock <- struct{}{}:
		return own, true, nil
	case <-own.done:
		return own, false, own.err
	case <-ctx.Done():
		if a.remove(own) {
			return own, false, Crowded(ctx)
		}
		return own, false, Interrupted(ctx)
	}
}

// Wait waits until the items are written or have failed.
func (own *Waiting[T]) Wait(ctx context.Context) error {
	select {
	case <-own.done:
		return own.err
	case <-ctx.Done():
		return Interrupted(ctx)
	}
}

// Lead writes waiting items in batches, until the caller's own items are written. A batch has at most as many items as
// the parameter batchSize says. This limits how long the caller waits for items of other callers.
func (a *Group[T]) Lead(own *Waiting[T], batchSize int, write func([]T) error) error {
	for {
		select {
		case <-own.done:
			return own.err
		default:
			a.writeBatch(batchSize, write)
		}
	}
}

func (a *Group[T]) writeBatch(batchSize int, write func([]T) error) {
	batch, items := a.take(batchSize)
	err := error(Errorf(Internal, "the write was not finished"))
	defer func() {
		for _, one := range batch {
			one.err = err
			close(one.done)
		}
	}()
	err = write(items)
}

func (a *Group[T]) add(one *Waiting[T]) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.waiting = append(a.waiting, one)
}

// take() removes as many calls as fit into a batch, beginning with the call that has waited longest. It returns these
// calls and their items.
func (a *Group[T]) take(batchSize int) (batch []*Waiting[T], items []T) {
	a.lock.Lock()
	defer a.lock.Unlock()
	count := 0
	for count < len(a.waiting) && (count == 0 || len(items)+len(a.waiting[count].items) <= batchSize) {
		items = append(items, a.waiting[count].items...)
		count++
	}
	batch = a.waiting[:count:count]
	a.waiting = append([]*Waiting[T](nil), a.waiting[count:]...)
	return batch, items
}

// remove() removes a waiting call from the group. It returns false if the call no longer waits because its items are
// already part of a batch.
func (a *Group[T]) remove(one *Waiting[T]) bool {
	a.lock.Lock()
	defer a.lock.Unlock()
	i := slices.Index(a.waiting, one)
	if i >= 0 {
		a.waiting = append(a.waiting[:i:i], a.waiting[i+1:]...)
	}
	return i >= 0
}
