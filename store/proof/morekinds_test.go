package proof

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// changesSince reads what has changed since the moment of an earlier set of guidelines, and applies the changes to this
// set. The two drivers may answer with different changes, but the resulting set must be the same.
func (w *world) changesSince(time.Time, int) step {
	earlier := w.IntN(1000)
	return step{text: fmt.Sprint(earlier), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		var set store.Set
		if sets := w.sets[s]; len(sets) > 0 {
			set = sets[earlier%len(sets)]
		}
		changes, err := s.Changes(ctx, tenant, set.Moment)
		if err != nil {
			return nil, "", err
		}
		set = store.Set{Guidelines: applied(set.Guidelines, &changes), Moment: changes.Moment}
		w.sets[s] = append(w.sets[s], set)
		return set.Guidelines, "", nil
	}}
}

// applied() returns the guidelines after some changes.
func applied(before []guideline.Guideline, c *store.Changes) []guideline.Guideline {
	after := map[string]guideline.Guideline{}
	if !c.Whole {
		for i := range before {
			after[store.KeyOf(&before[i])] = before[i]
		}
	}
	for i := range c.Changed {
		after[store.KeyOf(&c.Changed[i])] = c.Changed[i]
	}
	for _, key := range c.Removed {
		delete(after, key)
	}
	out := []guideline.Guideline{}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		out = append(out, after[key])
	}
	return out
}

func (w *world) dump(time.Time, int) step {
	return step{do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		records, err := recordsOf(ctx, s)
		slices.SortFunc(records, func(a, b store.Record) int { return strings.Compare(place(a), place(b)) })
		return records, "", err
	}}
}

func recordsOf(ctx context.Context, s store.Store) (out []store.Record, err error) {
	for r, err := range s.Dump(ctx, tenant) {
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

// place() returns a text by which records are sorted.
func place(r store.Record) string {
	switch {
	case r.Head != nil:
		return "1 " + string(r.Head.Kind)
	case r.Entry != nil:
		return fmt.Sprintf("2 %s %09d", r.Entry.Kind, r.Entry.Seq)
	}
	return fmt.Sprintf("3 %s %09d", store.KeyOf(&r.Revision.Guideline), r.Revision.Guideline.Version)
}

// load() loads the dump of a store into the same store, sometimes after it has damaged the dump.
func (w *world) load(time.Time, int) step {
	damage, at := w.pick("", "", "cut", "altered", "twice"), w.IntN(1000)
	return step{text: fmt.Sprint(damage, at), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		records, err := recordsOf(ctx, s)
		if err != nil || len(records) == 0 {
			return nil, "", err
		}
		slices.SortFunc(records, func(a, b store.Record) int { return cmp.Compare(place(a), place(b)) })
		switch i := at % len(records); {
		case damage == "cut":
			records = slices.Delete(records, i, i+1)
		case damage == "twice":
			records = slices.Insert(records, i, records[i])
		case damage == "altered" && records[i].Entry != nil:
			altered := *records[i].Entry
			altered.Actor += "x"
			records[i].Entry = &altered
		case damage == "altered" && records[i].Revision != nil:
			altered := *records[i].Revision
			altered.Guideline.Priority++
			records[i].Revision = &altered
		}
		loaded, err := s.Load(ctx, tenant, each(records))
		return []any{loaded, store.CodeOf(err)}, "", nil // the message of a refusal names the writer
	}}
}

func each(records []store.Record) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (w *world) endpoint() string { return w.pick("wh_1", "wh_2", "wh_3") }

// putEndpoint creates or replaces an endpoint. The version is the current one most of the time.
func (w *world) putEndpoint(now time.Time, _ int) step {
	e := store.Endpoint{
		ID: w.endpoint(), URL: "https://example.com/" + w.pick("a", "ä", "<b>"), Format: "json", Events: []string{"*"},
		Secrets: []store.Secret{{Text: "whsec_1", Expires: now}}, Disabled: w.pick("", "", "gone"), Created: now, Updated: now,
		Actor: w.pick("ann", "cäsar"), Run: 1 + w.IntN(3), Begin: w.Int64N(10), Removed: w.IntN(5) == 0,
	}
	if e.Version = w.endpoints[e.ID]; w.IntN(5) == 0 {
		e.Version = w.IntN(4)
	}
	if w.IntN(3) > 0 {
		e.Change = &store.Entry{ID: fmt.Sprint("c:", w.Uint32()), Kind: store.KindChange, Event: "webhook_added", Time: now}
	}
	return step{text: fmt.Sprintf("%+v", e), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		put, err := s.PutEndpoint(ctx, tenant, e)
		if err == nil {
			w.endpoints[e.ID] = put.Version
		}
		return put, "", err
	}}
}

func (w *world) listEndpoints(time.Time, int) step {
	return step{do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		lists, err := s.Endpoints(ctx, "other", tenant)
		if err != nil {
			return nil, "", err
		}
		tenants, err := s.EndpointTenants(ctx)
		if err != nil {
			return nil, "", err
		}
		marks, err := s.Marks(ctx, tenant)
		return []any{lists, tenants, marks}, "", err
	}}
}

func (w *world) lease(time.Time, int) step {
	holder, d := w.pick("one", "two"), time.Duration(w.IntN(4))*time.Hour
	return step{text: fmt.Sprint(holder, " ", d), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		held, err := s.Lease(ctx, tenant, holder, d)
		return held, "", err
	}}
}

func (w *world) follow(time.Time, int) step {
	after, limit := w.Int64N(int64(w.decisions)+2), 1+w.IntN(10)
	return step{text: fmt.Sprint(after, limit), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		entries, last, err := s.Follow(ctx, tenant, after, limit)
		return []any{entries, last}, "", err
	}}
}

// delivery() returns the delivery with the given number. If the number was used before, this is an earlier delivery.
// Otherwise, it is a new one. No two deliveries are created or due at the same time, because the order of such
// deliveries may differ between the drivers.
func (w *world) delivery(number int) store.Delivery {
	at := time.Date(2026, 3, 1, 0, 0, number, 0, time.UTC)
	return store.Delivery{
		ID: fmt.Sprint("dlv_", number), Endpoint: fmt.Sprint("wh_", 1+number%3), Event: "safety.blocked", State: store.DeliveryPending, Created: at,
		Due: at.Add(time.Duration(w.IntN(72))*time.Hour + time.Duration(number)*time.Millisecond), Body: `{"id":"<é>"}`,
		Tries: []store.Try{},
	}
}

func (w *world) queue(now time.Time, _ int) step {
	var list []store.Delivery
	for range w.IntN(4) {
		w.queued++
		list = append(list, w.delivery(w.queued))
	}
	if w.queued > 0 && w.IntN(4) == 0 {
		list = append(list, w.delivery(1+w.IntN(w.queued))) // this delivery exists, unless it was pruned
	}
	var marks []store.Mark
	for range w.IntN(3) {
		marks = append(marks, store.Mark{Endpoint: w.endpoint(), Run: w.IntN(3), Seq: w.Int64N(20), Failures: w.IntN(2), FailingSince: now})
	}
	return step{text: fmt.Sprintf("%+v %+v", list, marks), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		return nil, "", s.Queue(ctx, tenant, list, marks...)
	}}
}

func (w *world) saveDelivery(now time.Time, _ int) step {
	d := w.delivery(1 + w.IntN(w.queued+1))
	if d.State = w.pick(store.DeliveryPending, store.DeliveryDone, store.DeliveryGivenUp); d.State != store.DeliveryPending {
		d.Due = time.Time{}
	}
	d.Tries = []store.Try{{Attempt: 1 + w.IntN(3), At: now, Status: 204, DurationMS: 12, Answer: w.pick("", "ok <é>")}}
	return step{text: fmt.Sprintf("%+v", d), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		return nil, "", s.SaveDelivery(ctx, tenant, d)
	}}
}

func (w *world) deliveries(now time.Time, _ int) step {
	var q store.DeliveryQuery
	switch w.IntN(5) {
	case 0:
		q.Endpoint = w.endpoint()
	case 1:
		q.ID = fmt.Sprint("dlv_", 1+w.IntN(w.queued+1))
	case 2:
		q.Due = now
	}
	s := pages(fmt.Sprintf("%+v", q), w.paging(), func(ctx context.Context, s store.Store, p store.Paging) (store.Page[store.Delivery], error) {
		q := q
		q.Paging = p
		return s.Deliveries(ctx, tenant, q)
	})
	if !q.Due.IsZero() {
		// The order by due times changes when deliveries are tried, so the next pages of the drivers may differ.
		s.list = nil
		do := s.do
		s.do = func(ctx context.Context, s store.Store, _ string) (any, string, error) {
			answer, _, err := do(ctx, s, "")
			return answer, "", err
		}
	}
	return s
}

func (w *world) pruneDeliveries(now time.Time, _ int) step {
	before, keep := now.Add(-time.Duration(w.IntN(200))*time.Hour), w.IntN(20)
	return step{text: fmt.Sprint(before, keep), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		count, err := s.PruneDeliveries(ctx, tenant, before, keep)
		return count, "", err
	}}
}
