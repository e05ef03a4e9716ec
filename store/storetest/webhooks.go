package storetest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"guardrails/store"
)

func webhooks() []test {
	return []test{
		{"reading endpoints MUST return them as they were put, ordered by id, and only to their tenant", readsEndpoints},
		{"EndpointTenants() MUST return each tenant with endpoints once, in alphabetical order", listsEndpointTenants},
		{"a change that names a wrong version of an endpoint MUST be a Conflict", refusesStaleEndpoints},
		{"exactly one of several concurrent changes of an endpoint MUST succeed", racesForEndpoint},
		{"only one holder at a time MUST have the lease of a tenant", leasesOnce},
		{"Follow() MUST return every decision once, in order, and MUST NOT return changes", followsDecisions},
		{"Follow() MUST leave out pruned decisions", followsAfterPruning},
		{"Queue() MUST NOT change a delivery that exists", queuesOnce},
		{"Marks() MUST leave out a mark whose endpoint does not exist", readsMarks},
		{"deliveries MUST be listed newest first, and due deliveries in the order of their due times", listsDeliveries},
		{"pages of deliveries MUST have each delivery exactly once", pagesDeliveries},
		{"PruneDeliveries() MUST keep the newest deliveries, and waiting ones that are not too old", prunesDeliveries},
	}
}

func endpoint(id string) store.Endpoint {
	return store.Endpoint{
		ID: id, URL: "https://example.com/" + id, Format: "json", Events: []string{"*"}, Run: 1, Begin: 7, Actor: "ann",
		Secrets: []store.Secret{{Text: "whsec_1"}, {Text: "whsec_0", Expires: day(2)}}, Created: day(0), Updated: day(1),
		Change: &store.Entry{ID: "c:" + id, Kind: store.KindChange, Event: "webhook_added", Actor: "ann", Time: day(0)},
	}
}

// day() returns a time that is n days after 1 March 2026.
func day(n int) time.Time { return time.Date(2026, 3, 1+n, 12, 0, 0, 5e6, time.UTC) }

// sameJSON checks that two values are the same as JSON.
func (b *bench) sameJSON(got, want any) {
	b.Helper()
	g, err := store.EncodeWebhook(got)
	b.must(err)
	w, err := store.EncodeWebhook(want)
	b.must(err)
	if g != w {
		b.Fatalf("got  %s\nwant %s", g, w)
	}
}

func readsEndpoints(b *bench) {
	for _, id := range []string{"wh_2", "wh_1"} {
		put, err := b.PutEndpoint(b.ctx(), "a", endpoint(id))
		b.must(err)
		want := endpoint(id)
		want.Version = 1
		b.sameJSON(put, want)
	}
	changed := endpoint("wh_2")
	changed.Version, changed.Disabled = 1, "gone"
	changed, err := b.PutEndpoint(b.ctx(), "a", changed)
	b.must(err)
	first := endpoint("wh_1")
	first.Version = 1
	lists, err := b.Endpoints(b.ctx(), "b", "a", "")
	b.must(err)
	b.sameJSON(lists, [][]store.Endpoint{{}, {first, changed}, {}})
}

func listsEndpointTenants(b *bench) {
	list := func(want ...string) {
		tenants, err := b.EndpointTenants(b.ctx())
		b.must(err)
		if !slices.Equal(tenants, want) {
			b.Fatalf("got %q, want %q", tenants, want)
		}
	}
	list()
	for _, put := range [][2]string{{"b", "wh_1"}, {"a", "wh_2"}, {"b", "wh_3"}} {
		_, err := b.PutEndpoint(b.ctx(), put[0], endpoint(put[1]))
		b.must(err)
	}
	list("a", "b")
}

func refusesStaleEndpoints(b *bench) {
	missing := endpoint("wh_1")
	missing.Version = 1
	_, err := b.PutEndpoint(b.ctx(), "a", missing)
	b.refused(err, store.NotFound)
	_, err = b.PutEndpoint(b.ctx(), "a", endpoint("wh_1"))
	b.must(err)
	_, err = b.PutEndpoint(b.ctx(), "a", endpoint("wh_1"))
	b.conflicts(err, 1)
	missing.Version = 2
	_, err = b.PutEndpoint(b.ctx(), "a", missing)
	b.conflicts(err, 1)
}

func racesForEndpoint(b *bench) {
	_, err := b.PutEndpoint(b.ctx(), "a", endpoint("wh_1"))
	b.must(err)
	var won atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			e := endpoint("wh_1")
			e.Version, e.Description = 1, fmt.Sprint(i)
			if _, err := b.PutEndpoint(b.ctx(), "a", e); err == nil {
				won.Add(1)
			} else if store.CodeOf(err) != store.Conflict {
				b.Errorf("got %v", err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		b.Errorf("%d changes succeeded", won.Load())
	}
}

func leasesOnce(b *bench) {
	for i, c := range []struct {
		tenant, holder string
		d              time.Duration
		want           bool
	}{
		{"a", "one", time.Hour, true},
		{"a", "two", time.Hour, false},
		{"b", "two", time.Hour, true},
		{"a", "one", time.Hour, true},
		{"a", "two", 0, false}, // a duration of 0 does not end the lease of another holder
		{"a", "two", time.Hour, false},
		{"a", "one", 0, false},
		{"a", "two", time.Hour, true},
		{"a", "one", time.Hour, false},
	} {
		held, err := b.Lease(b.ctx(), c.tenant, c.holder, c.d)
		b.must(err)
		if held != c.want {
			b.Errorf("step %d: got %v, want %v", i, held, c.want)
		}
	}
}

func followsDecisions(b *bench) {
	if _, last, err := b.Follow(b.ctx(), "a", 0, 10); err != nil || last != 0 {
		b.Fatalf("an empty audit: got %d, %v", last, err)
	}
	for i := range 7 {
		_, err := b.Append(b.ctx(), "a", decision(fmt.Sprint("d", i)))
		b.must(err)
		b.create("a", simple(fmt.Sprint("g", i)))
	}
	_, err := b.Append(b.ctx(), "b", decision("other"))
	b.must(err)
	var got []string
	for after := int64(0); ; {
		entries, last, err := b.Follow(b.ctx(), "a", after, 3)
		b.must(err)
		if last != 7 {
			b.Errorf("the newest decision is %d", last)
		}
		if len(entries) == 0 {
			break
		}
		for i := range entries {
			got, after = append(got, entries[i].ID), entries[i].Seq
		}
	}
	if fmt.Sprint(got) != "[d0 d1 d2 d3 d4 d5 d6]" {
		b.Errorf("got %v", got)
	}
	if entries, last, err := b.Follow(b.ctx(), "a", 99, 3); err != nil || len(entries) > 0 || last != 7 {
		b.Errorf("beyond the end: got %v, %d, %v", entries, last, err)
	}
}

func followsAfterPruning(b *bench) {
	for i := range 4 {
		e := decision(fmt.Sprint("d", i))
		e.Time = day(i)
		_, err := b.Append(b.ctx(), "a", e)
		b.must(err)
	}
	_, err := b.Prune(b.ctx(), w("a"), store.Retention{Before: day(2)})
	b.must(err)
	entries, last, err := b.Follow(b.ctx(), "a", 0, 10)
	b.must(err)
	if len(entries) != 2 || entries[0].ID != "d2" || last != 4 {
		b.Errorf("got %d entries, %d: %+v", len(entries), last, entries)
	}
}

func delivery(id string, created, due time.Time) store.Delivery {
	return store.Delivery{
		ID: id, Endpoint: "wh_1", Event: "safety.blocked", State: store.DeliveryPending, Created: created, Due: due,
		Body: `{"id":"<é>"}`, Tries: []store.Try{},
	}
}

func queuesOnce(b *bench) {
	_, err := b.PutEndpoint(b.ctx(), "a", endpoint("wh_1"))
	b.must(err)
	d := delivery("dlv_1", day(0), day(0))
	b.must(b.Queue(b.ctx(), "a", []store.Delivery{d}, store.Mark{Endpoint: "wh_1", Run: 1, Seq: 3}))
	done := d
	done.State, done.Due = store.DeliveryDone, time.Time{}
	done.Tries = []store.Try{{Attempt: 1, At: day(0), Status: 204, DurationMS: 12, Answer: "ok"}}
	b.must(b.SaveDelivery(b.ctx(), "a", done))
	mark := store.Mark{Endpoint: "wh_1", Run: 1, Seq: 9, Failures: 2, FailingSince: day(1), Last: &done.Tries[0]}
	next := delivery("dlv_2", day(1), day(1))
	b.must(b.Queue(b.ctx(), "a", []store.Delivery{d, next, d}, mark))
	b.must(b.Queue(b.ctx(), "a", nil))
	page, err := b.Deliveries(b.ctx(), "a", store.DeliveryQuery{})
	b.must(err)
	b.sameJSON(page.Items, []store.Delivery{next, done})
	marks, err := b.Marks(b.ctx(), "a")
	b.must(err)
	b.sameJSON(marks, []store.Mark{mark})
}

func readsMarks(b *bench) {
	for _, id := range []string{"wh_2", "wh_1"} {
		_, err := b.PutEndpoint(b.ctx(), "a", endpoint(id))
		b.must(err)
	}
	mark := func(id string) store.Mark { return store.Mark{Endpoint: id, Run: 1, Seq: 3} }
	b.must(b.Queue(b.ctx(), "a", nil, mark("wh_2"), mark("wh_0"), mark("wh_1")))
	marks, err := b.Marks(b.ctx(), "a")
	b.must(err)
	b.sameJSON(marks, []store.Mark{mark("wh_1"), mark("wh_2")})
}

// queued() adds n deliveries to the queue. Each delivery is a day newer than the one before it.
func queued(b *bench, n int, due func(i int) time.Time) {
	b.Helper()
	var list []store.Delivery
	for i := range n {
		list = append(list, delivery(fmt.Sprintf("dlv_%02d", i), day(i), due(i)))
	}
	b.must(b.Queue(b.ctx(), "a", list))
}

func (b *bench) deliveries(q store.DeliveryQuery) (ids []string, next string) {
	b.Helper()
	page, err := b.Deliveries(b.ctx(), "a", q)
	b.must(err)
	for i := range page.Items {
		ids = append(ids, page.Items[i].ID)
	}
	return ids, page.Next
}

func listsDeliveries(b *bench) {
	queued(b, 4, func(i int) time.Time {
		if i == 1 {
			return time.Time{}
		}
		return day(10 - i)
	})
	other := delivery("dlv_other", day(9), day(0))
	other.Endpoint = "wh_2"
	b.must(b.Queue(b.ctx(), "a", []store.Delivery{other}))
	b.must(b.Queue(b.ctx(), "b", []store.Delivery{other}))
	for want, q := range map[string]store.DeliveryQuery{
		"[dlv_other dlv_03 dlv_02 dlv_01 dlv_00]": {},
		"[dlv_03 dlv_02 dlv_01 dlv_00]":           {Endpoint: "wh_1"},
		"[dlv_01]":                                {Endpoint: "wh_1", ID: "dlv_01"},
		"[]":                                      {Endpoint: "wh_2", ID: "dlv_01"},
		"[dlv_03 dlv_02]":                         {Endpoint: "wh_1", Due: day(8)},
	} {
		if ids, _ := b.deliveries(q); fmt.Sprint(ids) != want {
			b.Errorf("%+v: got %v, want %s", q, ids, want)
		}
	}
}

func pagesDeliveries(b *bench) {
	queued(b, 7, func(int) time.Time { return day(0) })
	for _, q := range []store.DeliveryQuery{{Endpoint: "wh_1"}, {Endpoint: "wh_1", Due: day(1)}} {
		q.Size = 3
		var all []string
		for {
			ids, next := b.deliveries(q)
			all = append(all, ids...)
			if next == "" {
				break
			}
			q.Cursor = next
		}
		seen := map[string]bool{}
		for _, id := range all {
			seen[id] = true
		}
		if len(all) != 7 || len(seen) != 7 {
			b.Errorf("got %v", all)
		}
	}
}

func prunesDeliveries(b *bench) {
	queued(b, 8, func(i int) time.Time {
		if i == 3 {
			return day(99)
		}
		return time.Time{}
	})
	for _, c := range []struct {
		before  time.Time
		keep    int
		deleted int64
		left    string
	}{
		{day(2), 100, 2, "[dlv_07 dlv_06 dlv_05 dlv_04 dlv_03 dlv_02]"},
		{day(0), 3, 2, "[dlv_07 dlv_06 dlv_05 dlv_03]"},
		{day(0), 3, 0, "[dlv_07 dlv_06 dlv_05 dlv_03]"},
		{day(4), 3, 1, "[dlv_07 dlv_06 dlv_05]"},
		{day(0), 0, 3, "[]"},
	} {
		deleted, err := b.PruneDeliveries(b.ctx(), "a", c.before, c.keep)
		b.must(err)
		if ids, _ := b.deliveries(store.DeliveryQuery{}); deleted != c.deleted || fmt.Sprint(ids) != c.left {
			b.Errorf("got %d deleted, %v left; want %d, %s", deleted, ids, c.deleted, c.left)
		}
	}
}
