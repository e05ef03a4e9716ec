package elastic

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"guardrails/store"
)

// tenantLocks has a lock for each tenant, so that writers of one process do not conflict with each other.
type tenantLocks struct {
	mu       sync.Mutex
	byTenant map[string]*tenantLock
}

// tenantLock has the lock for the writers of a tenant, and the calls that wait for the lock.
type tenantLock struct {
	lock    chan struct{}
	appends store.Appends
	changes store.Group[*request]
	own     ownChanges
	unseen  unseenChanges
	// The field "shown" has one head for each chain. Searches see all entries up to these heads.
	shown atomic.Pointer[[]store.Head]
	// fitAt is the time of the last successful checkFit.
	fitAt time.Time
	// The field "progress" is the newest state of the tenant that this process has seen.
	progress atomic.Int64
}

func (l *tenantLocks) of(tenant string) *tenantLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byTenant == nil {
		l.byTenant = map[string]*tenantLock{}
	}
	if l.byTenant[tenant] == nil {
		l.byTenant[tenant] = &tenantLock{lock: make(chan struct{}, 1)}
	}
	return l.byTenant[tenant]
}

// acquire() waits for the lock of a tenant. The caller must call release() afterwards.
func (s *Store) acquire(ctx context.Context, tenant string) (release func(), err error) {
	if err := s.calls.Begin(); err != nil {
		return nil, err
	}
	if err := store.CheckTenant(tenant); err != nil {
		s.calls.End()
		return nil, err
	}
	l := s.locks.of(tenant)
	if ctx.Err() == nil {
		select {
		case l.lock <- struct{}{}:
			return func() { <-l.lock; s.calls.End() }, nil
		case <-ctx.Done():
		}
	}
	s.calls.End()
	return nil, store.Crowded(ctx)
}

// write() runs f while it holds the lock of a tenant.
func write[T any](
	ctx context.Context, s *Store, tenant string, f func(ctx context.Context) (T, error),
) (result T, err error) {
	release, err := s.acquire(ctx, tenant)
	if err != nil {
		return result, err
	}
	return finish(ctx, s, release, f)
}

// finish() runs f and then releases the lock. Even if ctx ends, f continues, so that no other writer has to finish the
// transaction of f.
func finish[T any](
	ctx context.Context, s *Store, release func(), f func(ctx context.Context) (T, error),
) (result T, err error) {
	type outcome struct {
		result T
		err    error
	}
	done, detached := make(chan outcome, 1), context.WithoutCancel(ctx)
	go func() {
		defer release()
		result, err := f(detached)
		done <- outcome{result, s.failure(detached, err)}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		return result, store.Interrupted(ctx)
	}
}
