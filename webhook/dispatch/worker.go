package dispatch

import (
	"context"
	"errors"
	"sync"
	"time"

	"guardrails/store"
	"guardrails/webhook"
)

const (
	// loadEvery is how often the worker looks in the store for due deliveries, such as those that other processes
	// queued.
	loadEvery = 5 * time.Second
	// loadSize is how many due deliveries are loaded in one step. maxFresh is how many new ones are kept in memory; the
	// others are loaded later.
	loadSize = 100
	maxFresh = 1000
)

// worker tries the deliveries of one endpoint, one after the other.
type worker struct {
	t *tenant

	lock     sync.Mutex
	endpoint store.Endpoint
	mark     store.Mark
	// marked is when the mark was stored.
	marked time.Time
	// fresh are new deliveries, and again are those that failed before. New ones go first.
	fresh, again []store.Delivery
	// queued has the ids of the deliveries in fresh and again, and of the one that is being tried.
	queued map[string]bool
	// load is when due deliveries are next loaded from the store.
	load              time.Time
	running, finished bool
}

func newWorker(t *tenant, e *store.Endpoint, marks []store.Mark) *worker {
	w := &worker{
		t: t, endpoint: *e, mark: store.Mark{Endpoint: e.ID, Run: e.Run, Seq: e.Begin}, queued: map[string]bool{},
	}
	for _, m := range marks {
		if m.Endpoint == e.ID && m.Run == e.Run {
			w.mark = m
		}
	}
	return w
}

// update gives the worker the current endpoint. It returns false if the worker must be replaced, because the endpoint
// was enabled again.
func (w *worker) update(e *store.Endpoint) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	if e.Run != w.mark.Run || w.finished {
		return false
	}
	w.endpoint = *e
	return true
}

// stop ends the worker after its current try.
func (w *worker) stop() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.finished, w.fresh, w.again = true, nil, nil
}

func (w *worker) position() int64 {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.mark.Seq
}

// after returns the number of the last entry that the endpoint has seen. The parameter to is the number of the entry up
// to which the audit was read. The endpoint may have seen later entries already, because reading begins where the
// slowest endpoint is. isLast is set if the audit has no later entries. The result is then the value of to, even if
// that is lower than before.
func (w *worker) after(to int64, isLast bool) int64 {
	if isLast {
		return to
	}
	return max(to, w.position())
}

// deliveries returns the deliveries for the entries that the endpoint has not seen.
func (w *worker) deliveries(entries []store.Entry, now time.Time) (out []store.Delivery) {
	w.lock.Lock()
	defer w.lock.Unlock()
	for i := range entries {
		if entries[i].Seq <= w.mark.Seq {
			continue
		}
		for _, e := range webhook.Events(&entries[i]) {
			if webhook.Wants(w.endpoint.Events, e.Name) {
				out = append(out, e.Delivery(w.endpoint.ID, now))
			}
		}
	}
	return out
}

// markAt returns the mark of an endpoint that has seen the audit up to an entry, and reports whether this mark must be
// stored now. The parameter to is the number of the entry. A mark is stored with deliveries, and from time to time
// without them.
func (w *worker) markAt(to int64, hasDeliveries bool, now time.Time) (store.Mark, bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	mark := w.mark
	mark.Seq = to
	if !hasDeliveries && (to == w.mark.Seq || now.Sub(w.marked) < markEvery) {
		return mark, false
	}
	w.marked = now
	return mark, true
}

// advance sets how far the endpoint has seen the audit. If the audit is shorter than before, it was replaced by an
// older copy, and the endpoint continues at its end.
func (w *worker) advance(to int64, fresh []store.Delivery) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.mark.Seq = to
	for _, d := range fresh {
		if len(w.fresh) >= maxFresh {
			w.load = time.Time{}
			return
		}
		if !w.queued[d.ID] && !w.finished {
			w.queued[d.ID] = true
			w.fresh = append(w.fresh, d)
		}
	}
}

// begin loads the deliveries that are due, and starts to try all that wait.
func (w *worker) begin(ctx context.Context) error {
	err := w.loadDue(ctx)
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.running || len(w.fresh)+len(w.again) == 0 {
		return err
	}
	w.running = true
	w.t.d.running.Go(func() { w.drain(w.t.d.work) })
	return err
}

func (w *worker) loadDue(ctx context.Context) error {
	now := w.t.d.o.Now()
	w.lock.Lock()
	wait := w.running || now.Before(w.load)
	id := w.endpoint.ID
	w.lock.Unlock()
	if wait {
		return nil
	}
	page, err := w.t.store.Deliveries(ctx, store.DeliveryQuery{
		Endpoint: id, Due: now, Paging: store.Paging{Size: loadSize},
	})
	if err != nil {
		return err
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	w.load = now.Add(loadEvery)
	if page.Next != "" {
		w.load = now
	}
	for _, d := range page.Items {
		if !w.queued[d.ID] {
			w.queued[d.ID] = true
			w.again = append(w.again, d)
		}
	}
	return nil
}

// drain tries all waiting deliveries, and records the result of each try. At the end, it stores the mark of the
// endpoint.
func (w *worker) drain(ctx context.Context) {
	for {
		e, d, ok := w.next(ctx)
		if !ok {
			break
		}
		outcome, answered := w.t.d.o.Sender.Try(ctx, &e, &d)
		if answered {
			if err := w.record(ctx, outcome, &d); err != nil && ctx.Err() == nil {
				w.t.d.o.Report(err)
			}
		}
		w.done(d.ID, d.Due)
	}
	if err := w.t.store.Queue(context.WithoutCancel(ctx), nil, w.currentMark()); err != nil {
		w.t.d.o.Report(err)
	}
}

func (w *worker) currentMark() store.Mark {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.mark
}

// next takes the next delivery. If there is none, or ctx has ended, the worker is no longer running.
func (w *worker) next(ctx context.Context) (e store.Endpoint, d store.Delivery, ok bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	switch {
	case ctx.Err() != nil:
	case len(w.fresh) > 0:
		d, w.fresh, ok = w.fresh[0], w.fresh[1:], true
	case len(w.again) > 0:
		d, w.again, ok = w.again[0], w.again[1:], true
	}
	w.running = ok
	return w.endpoint, d, ok
}

// done forgets a delivery. due is when it is tried again.
func (w *worker) done(id string, due time.Time) {
	w.lock.Lock()
	defer w.lock.Unlock()
	delete(w.queued, id)
	if !due.IsZero() && due.Before(w.load) {
		w.load = due
	}
}

// record stores the result of a try. The audit entry comes first: if the process is killed after it has added the
// entry, the delivery is tried again. The second entry of the delivery has the same id, so it changes nothing.
func (w *worker) record(ctx context.Context, outcome webhook.Outcome, d *store.Delivery) error {
	ctx = context.WithoutCancel(ctx)
	to := w.t.store
	counted, failed := CountFailed, outcome != webhook.Delivered
	var problems []error
	if d.State != store.DeliveryPending {
		counted = CountGivenUp
		if !failed {
			counted = CountDelivered
		}
		_, err := to.Append(ctx, webhook.OutcomeEntry(d, w.t.d.o.Now()))
		problems = append(problems, err)
	}
	w.t.d.o.Count(counted)
	problems = append(problems, to.SaveDelivery(ctx, *d))
	dead := w.note(d, failed)
	switch {
	case outcome == webhook.Gone:
		problems = append(problems, w.disable(ctx, d.Endpoint, webhook.WhyGone))
	case dead:
		problems = append(problems, w.disable(ctx, d.Endpoint, webhook.WhyDead))
	}
	return errors.Join(problems...)
}

// note adds a try to the mark. dead is set if the endpoint must be disabled.
func (w *worker) note(d *store.Delivery, failed bool) (dead bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	last := d.Tries[len(d.Tries)-1]
	w.mark.Last = &last
	if !failed {
		w.mark.Failures, w.mark.FailingSince = 0, time.Time{}
		return false
	}
	if w.mark.Failures == 0 {
		w.mark.FailingSince = last.At
	}
	w.mark.Failures++
	return webhook.IsDead(w.mark.Failures, w.mark.FailingSince, last.At)
}

func (w *worker) disable(ctx context.Context, id, why string) error {
	w.stop()
	return w.t.disable(ctx, id, why)
}
