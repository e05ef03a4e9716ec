package live_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"guardrails/store"
)

// counting is a store that counts the calls that read guidelines.
type counting struct {
	store.Store
	lock sync.Mutex
	// The list "polls" has the number of tenants of each call of Generations. The field "reads" is the number of calls of
	// Changes and All.
	polls []int
	reads int
}

func (s *counting) Generations(ctx context.Context, tenants ...string) ([]int64, error) {
	s.lock.Lock()
	s.polls = append(s.polls, len(tenants))
	s.lock.Unlock()
	return s.Store.Generations(ctx, tenants...)
}

func (s *counting) Changes(ctx context.Context, tenant string, since store.Moment) (store.Changes, error) {
	s.countRead()
	return s.Store.Changes(ctx, tenant, since)
}

func (s *counting) All(ctx context.Context, tenant string) (store.Set, error) {
	s.countRead()
	return s.Store.All(ctx, tenant)
}

func (s *counting) countRead() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.reads++
}

// calls() returns the polls and the number of reads since the last call, and forgets them.
func (s *counting) calls() (polls []int, reads int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	polls, reads = s.polls, s.reads
	s.polls, s.reads = nil, 0
	return polls, reads
}

func TestAPollAsksTheStoreOnceForAllTenants(t *testing.T) {
	const tenants = 100
	counted := &counting{Store: database(t, newFile(t))}
	s := newStore(t, counted)
	for i := range tenants {
		snapshotIDs(t, s, fmt.Sprint("tenant", i))
	}
	counted.calls()
	began := time.Now()
	var polls []int
	reads := 0
	eventually(t, time.Minute, func() bool {
		more, read := counted.calls()
		polls, reads = append(polls, more...), reads+read
		return len(polls) >= 3
	})
	for _, asked := range polls[1:] { // the first of these polls may have begun before all tenants were in memory
		if asked != tenants {
			t.Errorf("polls asked for %v tenants, want %d each time", polls, tenants)
		}
	}
	if most := int(time.Since(began)/time.Second) + 1; len(polls) > most || reads != 0 {
		t.Errorf("%d polls in %s, and %d reads", len(polls), time.Since(began), reads)
	}
}
