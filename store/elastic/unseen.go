package elastic

import (
	"context"
	"maps"
	"sync"

	"guardrails/store"
)

// unseenChanges records which changes of a tenant's guidelines are visible to searches. A call that makes a change does
// not wait until the change is visible. Instead, the first search after the change refreshes the index. unseenChanges
// also has the newest revisions that this process wrote after the last refresh, so a writer need not refresh the index.
// The zero value is ready to use.
type unseenChanges struct {
	mu sync.Mutex
	// The field "seen" is the newest moment whose guidelines are visible to searches, or nil if this moment is not known.
	seen *store.Moment
	// The field "now" is the moment after the newest changes of this process. The map "newest" has the revisions that this
	// process wrote between the moments "seen" and "now". Its keys are the keys of the guidelines.
	now    store.Moment
	newest map[string]*storedRevision
}

// note() remembers a transaction of this process.
func (u *unseenChanges) note(from, to store.Moment, newest map[string]*storedRevision) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.seen == nil || isSameState(&u.now, &to) {
		return
	}
	if !isSameState(&u.now, &from) || len(u.newest)+len(newest) > maxOwn {
		u.seen, u.newest = nil, nil
		return
	}
	if u.newest == nil {
		u.newest = map[string]*storedRevision{}
	}
	maps.Copy(u.newest, newest)
	u.now = to
}

// The method "at" returns the revisions that searches might not see yet. It returns only revisions from before the
// moment in the parameter "now". If these revisions are not known, the result "ok" is false.
func (u *unseenChanges) at(now *store.Moment) (newest map[string]*storedRevision, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.seen == nil || !isSameState(&u.now, now) {
		return nil, false
	}
	return maps.Clone(u.newest), true
}

// show() records that searches see everything up to a moment.
func (u *unseenChanges) show(now store.Moment) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.seen, u.now, u.newest = &now, now, nil
}

// showChanges makes searches see every guideline up to the generation of a journal. It refreshes the index only if
// searches might not see a change yet.
func (s *Store) showChanges(ctx context.Context, j *journal) error {
	now, unseen := j.moment(), &s.locks.of(j.Tenant).unseen
	if newest, ok := unseen.at(&now); ok && len(newest) == 0 {
		return nil
	}
	if err := s.refresh(ctx, configIndex); err != nil {
		return err
	}
	unseen.show(now)
	return nil
}

// revisions() returns a search request for revisions of a tenant. The search sees every guideline up to the generation
// of the journal.
func (s *Store) revisions(ctx context.Context, j *journal, filters ...tree) (query, error) {
	all := append([]tree{term("tenant_id", j.Tenant)}, filters...)
	return query{index: configIndex, Query: matchAll(all...)}, s.showChanges(ctx, j)
}
