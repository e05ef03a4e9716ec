package live

import (
	"context"
	"sync"
	"time"

	"guardrails/store"
)

// The type "queue" limits the number of calls that use the store or wait for it. There is a limit for all calls
// together, for each tenant and for each caller. Without limits, waiting calls would fill the memory while the store
// hangs, and a caller with many calls would keep other callers waiting.
type queue struct {
	most, each int

	mu       sync.Mutex
	all      int
	byTenant map[string]int
	byCaller map[holder]int
}

// The type "holder" identifies the tenant and the actor that have a place in a queue. Calls of this process itself have
// no actor.
type holder struct{ tenant, actor string }

func newQueue(most, each int) *queue {
	return &queue{most: most, each: each, byTenant: map[string]int{}, byCaller: map[holder]int{}}
}

// The limits of the queues for reads, changes, entries of the audit, and polls.
const (
	maxReads, maxTenantReads     = 1024, 512
	maxChanges, maxTenantChanges = 1024, 256
	maxAppends, maxTenantAppends = 4096, 1024
	maxPolls                     = 4
)

// enter() adds a call to the queue. If the result is nil, the caller must call the method leave() when the added call
// has ended.
func (q *queue) enter(who holder) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.hasPlace(who) {
		return store.Untouched(store.Errorf(store.Unavailable,
			"too many calls are waiting for the store and "+store.NothingChanged+"; try again in a few seconds"))
	}
	q.all++
	q.byTenant[who.tenant]++
	q.byCaller[who]++
	return nil
}

// hasPlace reports whether there is a place for one more call. A tenant that has n places gets another place only if at
// least n places are free. One actor gets at most half of the places of its tenant. Tenants and actors with few calls
// can therefore still get a place while others have many calls. q.mu must be held.
func (q *queue) hasPlace(who holder) bool {
	free, held := q.most-q.all, q.byTenant[who.tenant]
	switch {
	case free == 0 || held >= q.each:
		return false
	case q.each == q.most:
		return true // all calls come from this process
	}
	return held <= free && (who.actor == "" || q.byCaller[who] < q.each/2)
}

func (q *queue) leave(who holder) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all--
	if q.byTenant[who.tenant]--; q.byTenant[who.tenant] == 0 {
		delete(q.byTenant, who.tenant)
	}
	if q.byCaller[who]--; q.byCaller[who] == 0 {
		delete(q.byCaller, who)
	}
}

// A call gets some extra time (grace) after its context has ended. If the call returns within this time, its result
// says whether the change was made.
const grace = 250 * time.Millisecond

// The type "outcome" is the result of a call.
type outcome[T any] struct {
	result T
	err    error
}

// call() calls f with the open store. It does not wait for a store that hangs: when ctx ends, it returns an error, even
// if f still runs. But the call gives up its place in the queue only when f has returned.
func call[T any](
	ctx context.Context, c *connection, q *queue, who holder, f func(store.Store, int64) (T, error),
) (result T, err error) {
	if err := q.enter(who); err != nil {
		return result, err
	}
	s, epoch, err := c.get(ctx)
	if err != nil {
		q.leave(who)
		return result, store.Untouched(err)
	}
	done := make(chan outcome[T], 1)
	go func() {
		defer q.leave(who)
		result, err := recovered(func() (T, error) { return f(s, epoch) })
		c.check(s, err)
		done <- outcome[T]{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		return lastMoment(ctx, done)
	}
}

// lastMoment waits for a call whose context has ended, but at most for the duration "grace".
func lastMoment[T any](ctx context.Context, done <-chan outcome[T]) (result T, err error) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.result, o.err
	case <-timer.C:
		return result, store.Interrupted(ctx)
	}
}

// recovered() calls f. If f panics, it returns an error, so that one faulty call does not end the process.
func recovered[T any](f func() (T, error)) (result T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = store.Errorf(store.Internal, "a call of the store failed: %v", cause)
		}
	}()
	return f()
}

func (t *TenantStore) holder() holder { return holder{t.caller.Tenant, t.caller.Actor} }

// readStore calls f with the open store. f must only read.
func readStore[T any](ctx context.Context, t *TenantStore, f func(store.Store) (T, error)) (T, error) {
	c := t.store.conn
	return call(ctx, c, c.reads, t.holder(), func(s store.Store, _ int64) (T, error) { return f(s) })
}

// changeStore calls f with the open store. f changes something in the store.
func changeStore[T any](ctx context.Context, t *TenantStore, f func(store.Store) (T, error)) (T, error) {
	c := t.store.conn
	t.store.touch(t.caller.Tenant)
	return call(ctx, c, c.writes, t.holder(), func(s store.Store, _ int64) (T, error) { return f(s) })
}
