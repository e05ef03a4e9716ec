package dispatch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
	"guardrails/webhook"
	"guardrails/webhook/dispatch"
	"guardrails/webhook/registry"
	"guardrails/webhook/send"
)

// A world is a store, a clock and the dispatchers of a test.
type world struct {
	*testing.T
	lock   sync.Mutex
	now    time.Time
	live   *live.Store
	first  *dispatch.Dispatcher
	counts map[string]int
	told   []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, now: time.Date(2026, 5, 16, 13, 0, 0, 0, time.UTC), counts: map[string]int{}}
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "data", "g.db"), Now: w.clock})
	if err != nil {
		t.Fatal(err)
	}
	w.live = live.New(live.Options{Open: live.Opened(s), Now: w.clock})
	t.Cleanup(func() { _ = w.live.Close() })
	w.first = w.dispatcher("first")
	return w
}

func (w *world) clock() time.Time {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.now
}

func (w *world) later(d time.Duration) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) sender() *send.Sender {
	s := send.New("1.2.3", w.clock, nil)
	s.Chance, s.Timeout = func() float64 { return 0.5 }, time.Minute
	return s
}

func (w *world) dispatcher(holder string) *dispatch.Dispatcher {
	return dispatch.New(w.Context(), dispatch.Options{
		Holder: holder, Now: w.clock, Sender: w.sender(),
		Count: func(outcome string) {
			w.lock.Lock()
			defer w.lock.Unlock()
			w.counts[outcome]++
		},
		Report: func(err error) {
			w.lock.Lock()
			defer w.lock.Unlock()
			w.told = append(w.told, err.Error())
		},
	})
}

func (w *world) store() live.Webhooks {
	return w.live.For(live.Caller{Tenant: "acme", Actor: "ann"}).Webhooks()
}

func (w *world) registry() *registry.Registry {
	return &registry.Registry{Store: w.store(), Sender: w.sender(), Now: w.clock}
}

// begin() starts a turn and does not wait for answers.
func (w *world) begin(d *dispatch.Dispatcher) {
	w.Helper()
	list, err := w.store().Endpoints(w.Context())
	w.must(err)
	w.must(d.Turn(w.Context(), []dispatch.Tenant{{Name: "acme", Store: w.store(), Endpoints: list}}))
}

// turn() lets a dispatcher work until it has nothing more to do.
func (w *world) turn(d *dispatch.Dispatcher) {
	w.Helper()
	w.begin(d)
	d.Wait()
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// add() adds a webhook.
func (w *world) add(url string, events ...string) string {
	w.Helper()
	added, err := w.registry().Add(w.Context(), registry.Choice{URL: &url, Events: events})
	w.must(err)
	return added.ID
}

// block() adds audit entries about blocked messages. The ids are the sessions of these messages.
func (w *world) block(ids ...string) {
	w.Helper()
	var list []store.Entry
	for _, id := range ids {
		list = append(list, store.Entry{
			ID: "chk_" + id, Kind: store.KindDecision, Event: "safety_input", Session: id,
			Decision: &store.Decision{Result: "block"},
			Context:  &guideline.Context{Metadata: map[string]any{"details": map[string]any{"mode": "enforce"}}},
		})
	}
	_, err := w.store().Append(w.Context(), list...)
	w.must(err)
}

// log() returns the deliveries of a webhook as lines, oldest first: the session of the event, the state and the
// statuses.
func (w *world) log(id string) (out []string) {
	w.Helper()
	page, err := w.registry().Deliveries(w.Context(), id, store.Paging{Size: 1000})
	w.must(err)
	for _, d := range page.Items {
		line := sessionOf([]byte(d.Body)) + " " + d.State
		for _, t := range d.Tries {
			line += fmt.Sprint(" ", t.Status)
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

func sessionOf(body []byte) string {
	var e struct {
		Data struct {
			Session string `json:"session_id"`
		}
	}
	_ = json.Unmarshal(body, &e)
	return e.Data.Session
}

func (w *world) logged(id string, want ...string) {
	w.Helper()
	if got := w.log(id); !slices.Equal(got, want) {
		w.Errorf("the log has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// audited() returns the number of audit entries that have the given event.
func (w *world) audited(event string) int {
	w.Helper()
	page, err := w.store().Audit(w.Context(), store.AuditQuery{AuditFilter: store.AuditFilter{Event: event}})
	w.must(err)
	return page.Total
}

// The type "receiver" is an endpoint that answers with the given status codes, one after the other. When no code is
// left, it repeats the last code.
type receiver struct {
	*httptest.Server
	lock     sync.Mutex
	statuses []int
	header   http.Header
	// The list "got" has the sessions of the received events, and the list named ids has the ids of the deliveries.
	got, ids []string
}

func newReceiver(t *testing.T, statuses ...int) *receiver {
	r := &receiver{statuses: statuses, header: http.Header{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.lock.Lock()
	defer r.lock.Unlock()
	r.got, r.ids = append(r.got, sessionOf(body)), append(r.ids, req.Header.Get(webhook.HeaderDelivery))
	for name := range r.header {
		w.Header().Set(name, r.header.Get(name))
	}
	w.WriteHeader(r.statuses[0])
	if len(r.statuses) > 1 {
		r.statuses = r.statuses[1:]
	}
}

func (r *receiver) received(t *testing.T, want string) {
	t.Helper()
	r.lock.Lock()
	defer r.lock.Unlock()
	if got := strings.Join(r.got, " "); got != want {
		t.Errorf("received %q, want %q", got, want)
	}
}

func TestEventsAreSentInOrderAndOnce(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	w.block("before")
	id := w.add(r.URL)
	w.block("a", "b")
	w.turn(w.first)
	w.block("c")
	w.turn(w.first)
	w.turn(w.first)
	r.received(t, "a b c")
	w.logged(id, "a delivered 200", "b delivered 200", "c delivered 200")
	if w.audited("webhook_delivered") != 3 || w.counts["delivered"] != 3 {
		t.Errorf("got %d entries and %v", w.audited("webhook_delivered"), w.counts)
	}
}

func TestEventsStayInOrderWhenAnotherDispatcherTakesOver(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	w.add(r.URL)
	killed, kill := context.WithCancel(t.Context())
	kill()
	w.turn(dispatch.New(killed, dispatch.Options{Holder: "killed", Now: w.clock}))
	var ids []string
	for i := range 20 {
		ids = append(ids, fmt.Sprint("s", i))
	}
	w.block(ids...)
	w.turn(dispatch.New(killed, dispatch.Options{Holder: "killed", Now: w.clock, Report: func(error) {}}))
	w.block("later")
	w.later(6 * time.Second)
	w.turn(w.first)
	r.received(t, strings.Join(append(ids, "later"), " "))
}

func TestEventsStayInOrderIfThereAreManyOfThem(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	w.add(r.URL)
	var ids []string
	for i := range 1100 {
		ids = append(ids, fmt.Sprint("s", i))
	}
	w.turn(w.first)
	w.block(ids...)
	w.turn(w.first)
	w.block("later")
	w.turn(w.first)
	w.turn(w.first)
	r.received(t, strings.Join(append(ids, "later"), " "))
}

func TestMoreEventsThanABatchAreAllSent(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	w.add(r.URL)
	var ids []string
	for i := range 600 {
		ids = append(ids, fmt.Sprint("s", i))
	}
	w.block(ids...)
	for range 4 {
		w.turn(w.first)
	}
	if got := len(r.got); got != 600 || len(slices.Compact(slices.Sorted(slices.Values(r.ids)))) != 600 {
		t.Errorf("received %d", got)
	}
}

// For each endpoint, a mark says which events were processed. If the endpoint wants none of the events, the dispatcher
// rarely stores this mark. After a restart, this endpoint is therefore far behind the other endpoint.
func TestAnEndpointThatIsBehindMakesNoOtherGetEventsAgain(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	w.add(r.URL)
	w.add(newReceiver(t, 200).URL, "decision.denied")
	w.block("first")
	w.turn(w.first)
	var ids []string
	for i := range 600 {
		ids = append(ids, fmt.Sprint("s", i))
	}
	w.block(ids...)
	for range 4 {
		w.turn(w.first)
	}
	w.later(6 * time.Second)
	second := w.dispatcher("second")
	for range 4 {
		w.turn(second)
	}
	if len(r.got) != 601 {
		t.Errorf("received %d events, want 601", len(r.got))
	}
}

func TestOnlyWantedEventsAreSent(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	w.add(r.URL, "safety.hold", "decision.*")
	w.block("a")
	w.turn(w.first)
	r.received(t, "")
}

func TestAFailedDeliveryIsTriedAgainWithTheSameID(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 500, 503, 200)
	id := w.add(r.URL)
	w.block("a")
	w.turn(w.first)
	w.later(4 * time.Second)
	w.turn(w.first)
	r.received(t, "a")
	w.logged(id, "a pending 500")
	w.later(time.Second)
	w.turn(w.first)
	r.received(t, "a a")
	w.later(30 * time.Second)
	w.turn(w.first)
	r.received(t, "a a a")
	w.logged(id, "a delivered 500 503 200")
	if len(slices.Compact(slices.Clone(r.ids))) != 1 {
		t.Errorf("the ids differ: %v", r.ids)
	}
}

func TestRetryAfterDelaysTheNextTry(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 429, 200)
	r.header.Set("Retry-After", "90")
	id := w.add(r.URL)
	w.block("a")
	w.turn(w.first)
	w.later(89 * time.Second)
	w.turn(w.first)
	w.logged(id, "a pending 429")
	w.later(6 * time.Second)
	w.turn(w.first)
	w.logged(id, "a delivered 429 200")
}

func TestADeliveryIsGivenUpAfterSevenTries(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 500)
	id := w.add(r.URL)
	w.block("a")
	for range 10 {
		w.turn(w.first)
		w.later(8 * time.Hour)
	}
	w.logged(id, "a given_up 500 500 500 500 500 500 500")
	if w.audited("webhook_given_up") != 1 || w.counts["given_up"] != 1 || w.counts["failed"] != 6 {
		t.Errorf("got %d entries and %v", w.audited("webhook_given_up"), w.counts)
	}
}

func TestOtherEventsDoNotWaitForAFailedOne(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 500, 200)
	id := w.add(r.URL)
	w.block("a", "b")
	w.turn(w.first)
	w.logged(id, "a pending 500", "b delivered 200")
}

func TestAnEndpointThatDoesNotAnswerDelaysNoOther(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	release := make(chan struct{})
	dead := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		<-release
	}))
	defer dead.Close()
	w.add(dead.URL)
	id := w.add(r.URL)
	w.block("a", "b")
	w.begin(w.first)
	for !slices.Equal(w.log(id), []string{"a delivered 200", "b delivered 200"}) { // the test's time limit ends this loop
		w.begin(w.first)
	}
	close(release)
	w.first.Wait()
}

func TestGoneDisablesAnEndpoint(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 410, 200)
	id := w.add(r.URL)
	w.block("a")
	w.turn(w.first)
	w.block("b")
	w.turn(w.first)
	r.received(t, "a")
	v, err := w.registry().Get(t.Context(), id)
	w.must(err)
	if v.Enabled || !strings.Contains(v.DisabledReason, "410") || w.audited("webhook_disabled") != 1 || len(w.told) != 1 {
		t.Errorf("got %+v, %v", v, w.told)
	}
	on := true
	_, err = w.registry().Change(t.Context(), id, 0, registry.Choice{Enabled: &on})
	w.must(err)
	w.block("c")
	w.turn(w.first)
	r.received(t, "a c")
}

// If a person tests a webhook or replays a delivery, the answer can say that the receiver wants no more events. The
// endpoint must then be disabled for the person and for the dispatcher.
func TestGoneDisablesAnEndpointAlsoWhenAPersonSends(t *testing.T) {
	for what, send := range map[string]func(w *world, id string) (store.Delivery, error){
		"test": func(w *world, id string) (store.Delivery, error) { return w.registry().Test(t.Context(), id) },
		"replay": func(w *world, id string) (store.Delivery, error) {
			page, err := w.registry().Deliveries(t.Context(), id, store.Paging{})
			w.must(err)
			return w.registry().Replay(t.Context(), id, page.Items[0].ID)
		},
	} {
		t.Run(what, func(t *testing.T) {
			w, r := newWorld(t), newReceiver(t, 200, 410, 200)
			id := w.add(r.URL)
			w.block("a")
			w.turn(w.first)
			d, err := send(w, id)
			w.must(err)
			v, err := w.registry().Get(t.Context(), id)
			w.must(err)
			if d.State != store.DeliveryGivenUp || v.Enabled || !strings.Contains(v.DisabledReason, "410") || w.audited("webhook_disabled") != 1 {
				t.Errorf("%s: got %+v", d.State, v)
			}
			w.block("b")
			w.turn(w.first)
			if len(r.got) != 2 {
				t.Errorf("the receiver got %d requests after it said that it wants no more", len(r.got)-2)
			}
		})
	}
}

func TestDeliveriesThatWaitForADisabledOrRemovedEndpointAreDeletedAfter30Days(t *testing.T) {
	for what, end := range map[string]func(w *world, id string) error{
		"disabled": func(w *world, id string) error {
			off := false
			_, err := w.registry().Change(t.Context(), id, 0, registry.Choice{Enabled: &off})
			return err
		},
		"removed": func(w *world, id string) error { return w.registry().Remove(t.Context(), id, 0) },
	} {
		t.Run(what, func(t *testing.T) {
			w, r := newWorld(t), newReceiver(t, 500)
			id := w.add(r.URL)
			w.block("a")
			w.turn(w.first)
			w.must(end(w, id))
			w.later(29 * 24 * time.Hour)
			w.turn(w.first)
			w.logged(id, "a pending 500")
			w.later(2 * 24 * time.Hour)
			w.turn(w.first)
			w.logged(id)
		})
	}
}

func TestTwentyFailuresOverADayDisableAnEndpoint(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 500)
	id := w.add(r.URL)
	isOn := func() bool {
		v, err := w.registry().Get(t.Context(), id)
		w.must(err)
		return v.Enabled
	}
	for i := range 25 {
		w.block(fmt.Sprint("s", i))
	}
	w.turn(w.first)
	if !isOn() {
		t.Fatal("the endpoint was disabled within a day")
	}
	w.later(24*time.Hour + time.Second)
	w.turn(w.first)
	if isOn() || len(w.told) != 1 || !strings.Contains(w.told[0], id) {
		t.Errorf("got %v", w.told)
	}
}

func TestASuccessEndsARowOfFailures(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, slices.Concat(slices.Repeat([]int{500}, 19), []int{200}, slices.Repeat([]int{500}, 40))...)
	id := w.add(r.URL)
	for i := range 19 {
		w.block(fmt.Sprint("s", i))
	}
	w.turn(w.first)
	w.later(25 * time.Hour)
	w.turn(w.first)
	if v, err := w.registry().Get(t.Context(), id); err != nil || !v.Enabled {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestOnlyOneDispatcherSendsAndAnotherTakesOver(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	w.add(r.URL)
	second := w.dispatcher("second")
	w.turn(w.first)
	w.block("a")
	w.turn(second)
	r.received(t, "")
	w.turn(w.first)
	r.received(t, "a")
	w.block("b")
	w.later(6 * time.Second) // the first dispatcher was killed, so the second one has to wait until the lease has ended
	w.turn(second)
	r.received(t, "a b")
	w.block("c")
	w.turn(w.first)
	second.Close(t.Context())
	r.received(t, "a b")
	w.turn(w.first)
	r.received(t, "a b c")
}

func TestANewDispatcherGoesOnWhereAKilledOneStopped(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 500, 200)
	id := w.add(r.URL)
	w.block("a", "b")
	w.turn(w.first)
	w.block("c")
	w.later(6 * time.Second)
	w.turn(w.dispatcher("second"))
	w.logged(id, "a delivered 500 200", "b delivered 200", "c delivered 200")
}

// lostWrites is a store that drops some writes, as if the process had been killed before it made them.
type lostWrites struct {
	live.Webhooks
	lost func(what string) bool
}

func (l lostWrites) SaveDelivery(ctx context.Context, d store.Delivery) error {
	if l.lost("save") {
		return nil
	}
	return l.Webhooks.SaveDelivery(ctx, d)
}

func (l lostWrites) Queue(ctx context.Context, list []store.Delivery, marks ...store.Mark) error {
	if l.lost("queue") {
		return nil
	}
	return l.Webhooks.Queue(ctx, list, marks...)
}

func TestADeliveryIsSentAgainWithTheSameIDOnlyIfItsResultWasLost(t *testing.T) {
	for what, received := range map[string]string{"save": "a a", "queue": "a"} {
		t.Run(what, func(t *testing.T) {
			w, r := newWorld(t), newReceiver(t, 200)
			id := w.add(r.URL)
			list, err := w.store().Endpoints(t.Context())
			w.must(err)
			isKilled := false
			lossy := lostWrites{w.store(), func(lost string) bool { return isKilled && lost == what }}
			for range 2 {
				w.must(w.first.Turn(t.Context(), []dispatch.Tenant{{Name: "acme", Store: lossy, Endpoints: list}}))
				w.first.Wait()
				if !isKilled {
					w.block("a")
					isKilled = true
				}
			}
			w.later(6 * time.Second)
			w.turn(w.dispatcher("second"))
			r.received(t, received)
			if len(slices.Compact(slices.Clone(r.ids))) != 1 {
				t.Errorf("the ids differ: %v", r.ids)
			}
			w.logged(id, "a delivered 200")
			if n := w.audited("webhook_delivered"); n != 1 {
				t.Errorf("the audit has %d entries about the delivery, want 1", n)
			}
		})
	}
}

// The type "refusing" is a store whose audit refuses new entries while the field "refuses" is set.
type refusing struct {
	live.Webhooks
	refuses *bool
}

func (r refusing) Append(ctx context.Context, entries ...store.Entry) ([]store.Entry, error) {
	if *r.refuses {
		return nil, store.Errorf(store.Unavailable, "the audit refuses entries")
	}
	return r.Webhooks.Append(ctx, entries...)
}

func TestNothingMoreIsSentUntilTheAuditHasTheOutcomeOfADelivery(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	id := w.add(r.URL)
	list, err := w.store().Endpoints(t.Context())
	w.must(err)
	refuses := false
	turn := func() {
		w.must(w.first.Turn(t.Context(), []dispatch.Tenant{{Name: "acme", Store: refusing{w.store(), &refuses}, Endpoints: list}}))
		w.first.Wait()
	}
	turn()
	w.block("a", "b")
	refuses = true
	for range 3 {
		turn()
		w.later(6 * time.Second)
	}
	r.received(t, "a")
	w.logged(id, "a pending", "b pending")
	if len(w.told) != 1 || w.counts["delivered"] != 0 {
		t.Errorf("reported %q, counted %v", w.told, w.counts)
	}
	refuses = false
	turn()
	r.received(t, "a b")
	w.logged(id, "a delivered 200", "b delivered 200")
	if w.audited("webhook_delivered") != 2 || w.counts["delivered"] != 2 {
		t.Errorf("got %d entries and %v", w.audited("webhook_delivered"), w.counts)
	}
}

func TestChangesThatTheirProcessDidNotLogAreLogged(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	e := store.Endpoint{ID: "wh_1", URL: r.URL, Format: "json", Events: []string{"*"}, Run: 1}
	webhook.NoteChange(&e, webhook.EntryAdded, "ann", w.clock())
	_, err := w.store().PutEndpoint(t.Context(), e)
	w.must(err)
	w.turn(w.first)
	w.turn(w.first)
	if n := w.audited("webhook_added"); n != 1 {
		t.Errorf("the audit has %d entries", n)
	}
}

func TestARemovedEndpointGetsNothing(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 500)
	id := w.add(r.URL)
	w.block("a")
	w.turn(w.first)
	w.must(w.registry().Remove(t.Context(), id, 0))
	w.later(time.Hour)
	w.block("b")
	w.turn(w.first)
	r.received(t, "a")
}

func TestDeliveriesOfOtherProcessesAreSent(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	id := w.add(r.URL)
	w.turn(w.first)
	event := webhook.NewTest("acme", "x", w.clock())
	w.must(w.store().Queue(t.Context(), []store.Delivery{event.Delivery(id, w.clock())}))
	w.later(5 * time.Second)
	w.turn(w.first)
	w.logged(id, " delivered 200")
}

func TestOldDeliveriesAreDeleted(t *testing.T) {
	w, r := newWorld(t), newReceiver(t, 200)
	id := w.add(r.URL)
	w.block("a")
	w.turn(w.first)
	w.later(31 * 24 * time.Hour)
	w.block("b")
	w.turn(w.first)
	w.logged(id, "b delivered 200")
}
