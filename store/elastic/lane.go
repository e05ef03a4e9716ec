package elastic

import (
	"context"
	"sync"

	"guardrails/store"
)

// lanes has a lane for each tenant: within a process, writers of a tenant take turns instead of getting in each other's
// way.
type lanes struct {
	lock     sync.Mutex
	byTenant map[string]*lane
}

// lane is the turn of a tenant's writers, and the appends that wait for it.
type lane struct {
	turn    chan struct{}
	appends store.Appends
}

func (l *lanes) of(tenant string) *lane {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.byTenant == nil {
		l.byTenant = map[string]*lane{}
	}
	if l.byTenant[tenant] == nil {
		l.byTenant[tenant] = &lane{turn: make(chan struct{}, 1)}
	}
	return l.byTenant[tenant]
}

// enter gets the turn of a tenant, which leave gives back.
func (s *Store) enter(ctx context.Context, tenant string) (leave func(), err error) {
	if err := s.calls.Begin(); err != nil {
		return nil, err
	}
	if err := store.CheckTenant(tenant); err != nil {
		s.calls.End()
		return nil, err
	}
	l := s.lanes.of(tenant)
	if ctx.Err() == nil {
		select {
		case l.turn <- struct{}{}:
			return func() { <-l.turn; s.calls.End() }, nil
		case <-ctx.Done():
		}
	}
	s.calls.End()
	return nil, store.Interrupted(ctx)
}

// write runs f with the turn of a tenant.
func write[T any](ctx context.Context, s *Store, tenant string, f func(ctx context.Context) (T, error)) (result T, err error) {
	leave, err := s.enter(ctx, tenant)
	if err != nil {
		return result, err
	}
	return finish(ctx, s, leave, f)
}

// finish runs f to its end. It goes on when the caller waits no longer, so that nothing is left for others to finish.
func finish[T any](ctx context.Context, s *Store, leave func(), f func(ctx context.Context) (T, error)) (result T, err error) {
	type outcome struct {
		result T
		err    error
	}
	done, lasting := make(chan outcome, 1), context.WithoutCancel(ctx)
	go func() {
		defer leave()
		result, err := f(lasting)
		done <- outcome{result, s.failure(lasting, err)}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		return result, store.Interrupted(ctx)
	}
}
