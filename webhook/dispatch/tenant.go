package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"guardrails/store"
	"guardrails/webhook"
)

const (
	// leaseTime is the duration of a lease. If a dispatcher is killed, other dispatchers can take over only after this
	// time. A running dispatcher extends its lease when half of the time has passed.
	leaseTime = 5 * time.Second
	// The constant "batch" is the number of audit entries that are read in one step. The constant "rounds" is the
	// largest number of batches that a turn reads.
	batch  = 500
	rounds = 20
	// markEvery is how often the mark of an endpoint is stored while there are no events for the endpoint.
	markEvery = 10 * time.Second
	// Deliveries are deleted when they are older than keepFor. A finished delivery is also deleted if there are at least
	// keepNewest newer deliveries.
	keepFor    = 30 * 24 * time.Hour
	keepNewest = 10000
	pruneEvery = time.Hour
)

// The type "tenant" holds the dispatcher's state for one tenant of the store.
type tenant struct {
	d         *Dispatcher
	store     Store
	endpoints []store.Endpoint
	// The field "workers" has a worker for each enabled endpoint, while the dispatcher has the lease.
	workers map[string]*worker
	// The map "logged" has, for each endpoint, the newest version whose entry is known to be in the audit.
	logged map[string]int
	// The field "leased" is the time when the lease was last extended. It is zero while this dispatcher does not have the
	// lease.
	leased, pruned time.Time
}

func (t *tenant) turn(ctx context.Context) error {
	if err := t.logChanges(ctx); err != nil {
		return err
	}
	enabled := t.enabled()
	if len(enabled) == 0 {
		t.release(ctx)
		return t.prune(ctx)
	}
	held, err := t.lease(ctx)
	if err != nil || !held {
		return err
	}
	if err := t.assign(ctx, enabled); err != nil {
		return err
	}
	err = errors.Join(t.queue(ctx), t.prune(ctx))
	for _, w := range t.workers {
		err = errors.Join(err, w.begin(ctx))
	}
	return err
}

func (t *tenant) enabled() (out []store.Endpoint) {
	for i := range t.endpoints {
		if e := &t.endpoints[i]; !e.Removed && e.Disabled == "" {
			out = append(out, *e)
		}
	}
	return out
}

// logChanges adds the changes of endpoints to the audit. Usually the audit has these changes already, because the
// process that makes a change also adds it to the audit. A change is missing only if this process was killed before it
// added the change.
func (t *tenant) logChanges(ctx context.Context) error {
	for i := range t.endpoints {
		e := &t.endpoints[i]
		if t.logged[e.ID] == e.Version {
			continue
		}
		if e.Change != nil {
			if _, err := t.store.Append(ctx, *e.Change); err != nil {
				return err
			}
		}
		t.logged[e.ID] = e.Version
	}
	return nil
}

// lease() takes or extends the lease of the tenant. It reports whether this dispatcher has the lease.
func (t *tenant) lease(ctx context.Context) (bool, error) {
	now := t.d.o.Now()
	if !t.leased.IsZero() && now.Sub(t.leased) < leaseTime/2 {
		return true, nil
	}
	held, err := t.store.Lease(ctx, t.d.o.Holder, leaseTime)
	if held {
		t.leased = now
		return true, err
	}
	t.leased = time.Time{}
	t.forget()
	return false, err
}

// release() lets another dispatcher take over.
func (t *tenant) release(ctx context.Context) {
	if t.leased.IsZero() {
		return
	}
	t.leased = time.Time{}
	t.forget()
	_, _ = t.store.Lease(ctx, t.d.o.Holder, 0) // if this fails, the lease ends soon by itself
}

// forget() stops all workers after their current tries. The deliveries that the workers have not tried stay in the
// store.
func (t *tenant) forget() {
	for id, w := range t.workers {
		w.stop()
		delete(t.workers, id)
	}
}

// assign() makes sure that each enabled endpoint has one worker.
func (t *tenant) assign(ctx context.Context, enabled []store.Endpoint) error {
	current := map[string]bool{}
	var missing []*store.Endpoint
	for i := range enabled {
		e := &enabled[i]
		current[e.ID] = true
		if w := t.workers[e.ID]; w == nil || !w.update(e) {
			missing = append(missing, e)
		}
	}
	for id, w := range t.workers {
		if !current[id] {
			w.stop()
			delete(t.workers, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	marks, err := t.store.Marks(ctx)
	if err != nil {
		return err
	}
	for _, e := range missing {
		if old := t.workers[e.ID]; old != nil {
			old.stop()
		}
		t.workers[e.ID] = newWorker(t, e, marks)
	}
	return nil
}

// queue() turns new audit entries into deliveries.
func (t *tenant) queue(ctx context.Context) error {
	for range rounds {
		after := t.position()
		entries, last, err := t.store.Follow(ctx, after, batch)
		if err != nil {
			return err
		}
		to := last
		if len(entries) == batch {
			to = entries[batch-1].Seq
		}
		isLast := len(entries) < batch
		if err := t.queueEntries(ctx, entries, to, isLast); err != nil || isLast {
			return err
		}
	}
	return nil
}

// position() returns the number of an entry. All entries up to this entry were processed for all endpoints.
func (t *tenant) position() int64 {
	position := int64(-1)
	for _, w := range t.workers {
		if seq := w.position(); position < 0 || seq < position {
			position = seq
		}
	}
	return position
}

// queueEntries stores the deliveries for entries. For each endpoint, it also stores the number of the last entry that
// was processed. The parameter "to" is the number of the last entry that was read. The workers get the deliveries only
// after they were stored. The parameter isLast is set if the audit has no later entries.
func (t *tenant) queueEntries(ctx context.Context, entries []store.Entry, to int64, isLast bool) error {
	var all []store.Delivery
	var marks []store.Mark
	fresh := map[*worker][]store.Delivery{}
	now := t.d.o.Now()
	for _, w := range t.workers {
		own := w.deliveries(entries, now)
		if len(own) > 0 {
			fresh[w], all = own, append(all, own...)
		}
		if mark, isStored := w.markAt(w.after(to, isLast), len(own) > 0, now); isStored {
			marks = append(marks, mark)
		}
	}
	if len(marks) > 0 {
		if err := t.store.Queue(ctx, all, marks...); err != nil {
			return err
		}
	}
	for _, w := range t.workers {
		w.advance(w.after(to, isLast), fresh[w])
	}
	return nil
}

func (t *tenant) prune(ctx context.Context) error {
	now := t.d.o.Now()
	if !t.pruned.IsZero() && now.Sub(t.pruned) < pruneEvery {
		return nil
	}
	t.pruned = now
	_, err := t.store.PruneDeliveries(ctx, now.Add(-keepFor), keepNewest)
	return err
}

// disable() disables an endpoint and tells the operator.
func (t *tenant) disable(ctx context.Context, id, why string) error {
	e, err := webhook.Disable(ctx, t.store, id, why, t.d.o.Now())
	if e != nil {
		t.d.o.Report(fmt.Errorf("the webhook %s (%s) was disabled: %s; to enable it again, run guardrails webhooks enable, or use REST",
			id, webhook.Shown(e), why))
	}
	return err
}
