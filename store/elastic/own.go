package elastic

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"guardrails/store"
)

// maxOwn is the number of changed guidelines that a process remembers for each tenant.
const maxOwn = 128

// ownChanges remembers the newest transactions in which this process changed the guidelines of a tenant, so that the
// process need not search for its own changes. A process forgets the guidelines of a transaction as soon as one call
// has read them. The zero value is ready to use.
type ownChanges struct {
	mu sync.Mutex
	// The field "list" has transactions in order, the oldest first. No transaction between them is missing.
	list []ownChange
}

// ownChange has the changes of one transaction.
type ownChange struct {
	from, to store.Moment
	newest   map[string]*storedRevision
	// The field "entry" is the name of the document that has the last entry of the chain of changes.
	entry string
}

// note() remembers a transaction that was executed. The parameter "changed" has the guidelines that the transaction
// changed.
func (o *ownChanges) note(t *transaction, b *batch, changed map[string]*storedRevision) {
	entries := b.entries()
	if len(entries) == 0 {
		return
	}
	last := entries[len(entries)-1]
	next := ownChange{
		from: t.from.moment(), to: t.next.moment(),
		newest: changed, entry: entryID(last.Tenant, last.ID),
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) > 0 && !isSameState(&o.list[len(o.list)-1].to, &next.from) {
		o.list = nil
	}
	o.list = append(o.list, next)
	count := 0
	for _, c := range o.list {
		count += len(c.newest)
	}
	if count > maxOwn {
		o.forget()
	}
}

// forget() removes all transactions except the last one. The last transaction stays, but without its guidelines. o.mu
// must be held.
func (o *ownChanges) forget() {
	last := o.list[len(o.list)-1]
	last.newest = nil
	o.list = []ownChange{last}
}

// isSameState reports whether two moments have the same guidelines. It compares their generations and the heads of
// their chains of changes.
func isSameState(a, b *store.Moment) bool {
	return a.Generation == b.Generation && slices.Equal(a.ChangeHeads(), b.ChangeHeads())
}

// take() returns the transactions that lead from one moment to another, and forgets them. The result "before" is the
// transaction that led to the first moment. If this process does not know all of these transactions, the result "ok" is
// false.
func (o *ownChanges) take(since, now *store.Moment) (before *ownChange, list []ownChange, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) == 0 || !isSameState(&o.list[len(o.list)-1].to, now) {
		return nil, nil, false
	}
	for i := 1; i < len(o.list); i++ {
		if isSameState(&o.list[i].from, since) {
			before, list = &o.list[i-1], o.list[i:]
			o.forget()
			return before, list, true
		}
	}
	return nil, nil, false
}

// ownChangesAt returns what changed after an earlier moment, up to the moment of a journal. The method works only if no
// other process has changed anything. Otherwise, the result "ok" is false, and the caller must find the changes in
// another way. ownChangesAt does not search, so it need not wait until searches see the changes. Like hasAllUntil, it
// checks that the audit still has the entry that was the newest one at the earlier moment.
func (s *Store) ownChangesAt(ctx context.Context, j *journal, since *store.Moment) (c store.Changes, ok bool, err error) {
	now := j.moment()
	before, list, ok := s.locks.of(j.Tenant).own.take(since, &now)
	if !ok {
		return c, false, nil
	}
	held, err := s.hasEntry(ctx, before)
	if err != nil || !held {
		return c, false, err
	}
	newest := map[string]*storedRevision{}
	for i := range list {
		maps.Copy(newest, list[i].newest)
	}
	c.Moment = now
	for _, key := range slices.Sorted(maps.Keys(newest)) {
		if newest[key].Deleted {
			c.Removed = append(c.Removed, key)
			continue
		}
		k, err := s.asStored(newest[key])
		if err != nil {
			return c, false, err
		}
		c.Changed = append(c.Changed, k.Guideline)
	}
	return c, true, nil
}

// asStored returns a revision in the form in which readers get it from the store.
func (s *Store) asStored(k *storedRevision) (storedRevision, error) {
	source, err := k.encode()
	if err != nil {
		return storedRevision{}, err
	}
	return s.decodeRevision(source)
}

// hasEntry reports whether the audit has the last entry of a transaction.
func (s *Store) hasEntry(ctx context.Context, o *ownChange) (bool, error) {
	found, err := s.find(ctx, s.addresses(auditIndex, []string{o.entry}), "hash")
	if err != nil || found[o.entry].Source == nil {
		return false, err
	}
	var e struct {
		Hash string `json:"hash"`
	}
	err = json.Unmarshal(found[o.entry].Source, &e)
	isHead := func(h store.Head) bool { return h.Hash == e.Hash }
	return slices.ContainsFunc(o.to.ChangeHeads(), isHead), err
}
