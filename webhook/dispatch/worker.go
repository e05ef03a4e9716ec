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
	// loadEvery is the time after which the worker looks in the store again for due deliveries, such as deliveries that
	// other processes have queued.
	loadEvery = 5 * time.Second
	// loadSize is the number of due deliveries that are read in one step. maxFresh is the approximate number of untried
	// deliveries that are kept in memory. The other deliveries are loaded later.
	loadSize = 100
	maxFresh = 1000
)

// A worker tries the deliveries of one endpoint, one after the other.
type worker struct {
	t *tenant

	lock     sync.Mutex
	endpoint store.Endpoint
	mark     store.Mark
	// The field "marked" is the time when the mark was last stored.
	marked time.Time
	// The list "fresh" has the deliveries that were not tried yet, oldest first. The list "again" has the deliveries that
	// failed before. The worker first tries the deliveries in the list "fresh".
	fresh, again []store.Delivery
	// The flag "behind" is set if the store may have untried deliveries that are not in the list "fresh". In this case,
	// newer deliveries also wait in the store.
	behind bool
	// lastDue is the time when the newest delivery is due. Each delivery has a different due time, because the store sorts
	// deliveries by due time.
	lastDue time.Time
	// The map "queued" has the ids of the deliveries in both lists, and of the delivery that is being tried.
	queued map[string]bool
	// The field "unrecorded" is a try whose outcome the audit has refused. Until the audit accepts this outcome, nothing
	// more is sent.
	unrecorded *try
	// The field "load" is the time at which due deliveries are next loaded from the store.
	load              time.Time
	running, finished bool
}

// The type "try" is a delivery and the outcome of its newest attempt. The outcome is empty if the delivery still
// waits for an attempt.
type try struct {
	store.Delivery
	outcome webhook.Outcome
	// The flag "refused" is set if the audit has refused the outcome before.
	refused bool
}

func newWorker(t *tenant, e *store.Endpoint, marks []store.Mark) *worker {
	w := &worker{
		t: t, endpoint: *e, mark: store.Mark{Endpoint: e.ID, Run: e.Run, Seq: e.Begin}, queued: map[string]bool{},
		behind: true,
	}
	for _, m := range marks {
		if m.Endpoint == e.ID && m.Run == e.Run {
			w.mark = m
		}
	}
	return w
}

// update() gives the worker the current endpoint. It returns false if the worker must be replaced, because the endpoint
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

// stop() ends the worker after its current try.
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

// after() returns the new position of the endpoint: the number of the last entry that is processed for the endpoint.
// The parameter "to" is the number of the last entry that was read. The endpoint may have a higher position already,
// because reading begins at the lowest position of all endpoints. The parameter isLast is set if the audit has no later
// entries. In this case, the result is always the value of "to", even if the position was higher before.
func (w *worker) after(to int64, isLast bool) int64 {
	if isLast {
		return to
	}
	return max(to, w.position())
}

// deliveries() returns the deliveries for the entries that were not yet processed for the endpoint.
func (w *worker) deliveries(entries []store.Entry, now time.Time) (out []store.Delivery) {
	w.lock.Lock()
	defer w.lock.Unlock()
	for i := range entries {
		if entries[i].Seq <= w.mark.Seq {
			continue
		}
		for _, e := range webhook.Events(&entries[i]) {
			if webhook.Wants(w.endpoint.Events, e.Name) {
				d := e.Delivery(w.endpoint.ID, now)
				if next := w.lastDue.Add(time.Millisecond); d.Due.Before(next) {
					d.Due = next
				}
				w.lastDue = d.Due
				out = append(out, d)
			}
		}
	}
	return out
}

// markAt returns the new mark of the endpoint, and reports whether this mark must be stored now. The parameter "to" is
// the number of the last entry that was processed for the endpoint. A mark is stored together with deliveries. From
// time to time, it is also stored without deliveries.
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

// advance() sets the number of the last entry that was processed for the endpoint. If the audit is shorter than before,
// an older copy has replaced it. In this case, the endpoint continues at the end of the older copy.
func (w *worker) advance(to int64, fresh []store.Delivery) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.mark.Seq = to
	for _, d := range fresh {
		if w.behind || len(w.fresh) >= maxFresh {
			w.behind, w.load = true, time.Time{}
			return
		}
		if !w.queued[d.ID] && !w.finished {
			w.queued[d.ID] = true
			w.fresh = append(w.fresh, d)
		}
	}
}

// begin() loads the deliveries that are due, and starts to try all waiting deliveries.
func (w *worker) begin(ctx context.Context) error {
	err := w.loadDue(ctx)
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.running || w.unrecorded == nil && len(w.fresh)+len(w.again) == 0 {
		return err
	}
	w.running = true
	w.t.d.running.Go(func() { w.drain(w.t.d.work) })
	return err
}

// loadDue loads deliveries that are due, and deliveries that were not tried yet.
func (w *worker) loadDue(ctx context.Context) error {
	now := w.t.d.o.Now()
	w.lock.Lock()
	wait, id, until := w.running || now.Before(w.load), w.endpoint.ID, w.lastDue
	w.lock.Unlock()
	if wait {
		return nil
	}
	if until.Before(now) {
		until = now
	}
	found, isAll, err := w.read(ctx, store.DeliveryQuery{Endpoint: id, Due: until, Paging: store.Paging{Size: loadSize}})
	if err != nil {
		return err
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	w.behind, w.load = !isAll, now
	if isAll {
		w.load = now.Add(loadEvery)
	}
	for _, d := range found {
		switch {
		case w.queued[d.ID] || w.finished:
			continue
		case len(d.Tries) == 0:
			w.fresh = append(w.fresh, d)
		case d.Due.After(now):
			continue
		default:
			w.again = append(w.again, d)
		}
		w.queued[d.ID] = true
	}
	return nil
}

// read() returns the first deliveries that match a query. If no other deliveries match, the result isAll is true.
func (w *worker) read(ctx context.Context, q store.DeliveryQuery) (found []store.Delivery, isAll bool, err error) {
	for len(found) < maxFresh {
		page, err := w.t.store.Deliveries(ctx, q)
		if err != nil {
			return nil, false, err
		}
		found = append(found, page.Items...)
		if q.Cursor = page.Next; page.Next == "" {
			return found, true, nil
		}
	}
	return found, false, nil
}

// drain() tries all waiting deliveries, and records the result of each try. At the end, it stores the mark of the
// endpoint. drain() stops if the audit refuses an outcome.
func (w *worker) drain(ctx context.Context) {
	for {
		e, t, ok := w.next(ctx)
		if !ok {
			break
		}
		if t.outcome == "" {
			t.outcome, ok = w.t.d.o.Sender.Try(ctx, &e, &t.Delivery)
		}
		if ok {
			if err := w.logOutcome(ctx, &t.Delivery); err != nil {
				if !t.refused {
					w.t.d.o.Report(err)
				}
				w.keep(t)
				return
			}
			if err := w.record(ctx, &t); err != nil && ctx.Err() == nil {
				w.t.d.o.Report(err)
			}
		}
		w.done(t.ID, t.Due)
	}
	if err := w.t.store.Queue(context.WithoutCancel(ctx), nil, w.currentMark()); err != nil {
		w.t.d.o.Report(err)
	}
}

// keep() stops the worker until the next turn. In the next turn, the worker first tries again to record the outcome of
// the delivery t.
func (w *worker) keep(t try) {
	w.lock.Lock()
	defer w.lock.Unlock()
	t.refused = true
	w.unrecorded, w.running = &t, false
}

func (w *worker) currentMark() store.Mark {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.mark
}

// next() takes the next delivery. If no delivery waits, or if ctx has ended, the method notes that the worker no longer
// runs.
func (w *worker) next(ctx context.Context) (e store.Endpoint, t try, ok bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	switch {
	case ctx.Err() != nil:
	case w.unrecorded != nil:
		t, w.unrecorded, ok = *w.unrecorded, nil, true
	case len(w.fresh) > 0:
		t.Delivery, w.fresh, ok = w.fresh[0], w.fresh[1:], true
	case len(w.again) > 0:
		t.Delivery, w.again, ok = w.again[0], w.again[1:], true
	}
	w.running = ok
	return w.endpoint, t, ok
}

// done() removes a delivery from the queued deliveries. The parameter "due" is the time when the delivery is tried
// again, or zero.
func (w *worker) done(id string, due time.Time) {
	w.lock.Lock()
	defer w.lock.Unlock()
	delete(w.queued, id)
	if !due.IsZero() && due.Before(w.load) {
		w.load = due
	}
}

// If a delivery is not tried again, logOutcome adds the outcome of the delivery to the audit. The worker calls
// logOutcome before it stores the delivery. If the process is killed between these two steps, the delivery is tried
// again. The second audit entry has the same id as the first, so it changes nothing.
func (w *worker) logOutcome(ctx context.Context, d *store.Delivery) error {
	if d.State == store.DeliveryPending {
		return nil
	}
	_, err := w.t.store.Append(context.WithoutCancel(ctx), webhook.OutcomeEntry(d, w.t.d.o.Now()))
	return err
}

// record() stores the result of a try.
func (w *worker) record(ctx context.Context, t *try) error {
	ctx = context.WithoutCancel(ctx)
	switch {
	case t.outcome == webhook.Delivered:
		w.t.d.o.Count(CountDelivered)
	case t.State != store.DeliveryPending:
		w.t.d.o.Count(CountGivenUp)
	default:
		w.t.d.o.Count(CountFailed)
	}
	err := w.t.store.SaveDelivery(ctx, t.Delivery)
	dead := w.note(&t.Delivery, t.outcome != webhook.Delivered)
	switch {
	case t.outcome == webhook.Gone:
		err = errors.Join(err, w.disable(ctx, t.Endpoint, webhook.WhyGone))
	case dead:
		err = errors.Join(err, w.disable(ctx, t.Endpoint, webhook.WhyDead))
	}
	return err
}

// note() adds the newest try of a delivery to the mark. The result "dead" is true if the endpoint has failed so often
// that it must be disabled.
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
