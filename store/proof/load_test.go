package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"guardrails/store"
	"guardrails/store/live"
)

// ledger records everything that the servers acknowledged.
type ledger struct {
	lock sync.Mutex
	// The field "decided" has the ids of the decisions that each machine acknowledged. The list "appended" has the ids of
	// the entries that this process appended. The list "refused" has the ids of the tool calls that hooks refused.
	decided           [2][]string
	appended, refused []string
	problems          []string
	// The field "done" counts the acknowledged writes and the refused calls. The field "round" counts the faults.
	done, round atomic.Int64
	// The field "answers" counts the answers to requests. The field "refusals" counts the changes that were refused
	// because they were not possible at the moment. The field "times" has the durations of answers and hooks.
	answers, refusals atomic.Int64
	times             times
	// The field "sets" has the additions to the audit of each session, and the results of reading this audit. The times in
	// it are relative to the time "start".
	sets  sets
	start time.Time
}

func (l *ledger) add(list *[]string, id string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	*list = append(*list, id)
	l.done.Add(1)
}

func (l *ledger) problem(format string, args ...any) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.problems = append(l.problems, fmt.Sprintf(format, args...))
}

// pause() waits for the given time, or until the load ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// load is a group of clients that use two machines and their store until the load is stopped.
type load struct {
	*ledger
	machines [2]*machine
	// The field "past" gives direct access to the store, without a server. The field "pace" is the time between two calls
	// of a client.
	past    *live.TenantStore
	pace    time.Duration
	clients []*client
	// The flag "full" is set while the disk of the store can be full.
	full   atomic.Bool
	cancel context.CancelFunc
	all    sync.WaitGroup
}

// begin() starts clients and hooks on both machines. Some clients change guidelines. Other clients log decisions and
// read them again. One client uses the store directly, without a server.
func begin(machines [2]*machine, past *live.TenantStore, pace time.Duration) *load {
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{ledger: &ledger{sets: sets{}, start: time.Now()}, machines: machines, past: past, pace: pace, cancel: cancel}
	for n := range 4 {
		either := &remote{machines: machines[:], ledger: l.ledger, random: rand.New(rand.NewPCG(uint64(n), 2))}
		c := newClient(n, either, l.start, 5)
		l.clients = append(l.clients, c)
		l.all.Go(func() { l.change(ctx, c) })
	}
	for n, m := range machines {
		l.all.Go(func() { l.decide(ctx, n, m) })
		l.all.Go(func() { l.runHooks(ctx, m) })
		l.all.Go(func() { l.ask(ctx, m) })
	}
	l.all.Go(func() { l.append(ctx) })
	return l
}

// stop() ends the load, and waits for the running calls.
func (l *load) stop() {
	l.cancel()
	l.all.Wait()
}

// change() makes random changes. After each fault, the clients use other guidelines, because it takes very long to find
// the order of many concurrent calls.
func (l *load) change(ctx context.Context, c *client) {
	for ctx.Err() == nil {
		before := len(c.log)
		c.prefix = fmt.Sprintf("r%d-", l.round.Load())
		c.work(1, 2)
		l.done.Add(int64(len(c.log) - before))
		pause(ctx, l.pace)
	}
}

func (l *load) history() (log []porcupine.Operation) {
	for _, c := range l.clients {
		log = append(log, c.log...)
	}
	return log
}

// decide() logs decisions on a machine, and reads the decisions of their session afterwards. Both machines decide for
// the same session, until the next fault or until the session has many decisions. If a request gets no answer, the
// method does not repeat it, because the decision could then be logged twice.
func (l *load) decide(ctx context.Context, n int, m *machine) {
	for i := 0; ctx.Err() == nil; i++ {
		session, reason := fmt.Sprintf("round-%d-%d", l.round.Load(), i/200), fmt.Sprintf("%d-%d", n, i)
		began := time.Now()
		a := m.call(ctx, l.ledger, "guardrails_log_decision", map[string]any{
			"guideline_id": "locked", "context": map[string]any{"agent": "a", "session_id": session}, "result": "approved",
			"reason": reason,
		})
		id := l.decision(ctx, &a)
		l.added(m, session, reason, began, id != "")
		if id != "" {
			l.add(&l.decided[n], id)
			l.readSession(ctx, m, session, func(e *store.Entry) string { return e.Decision.Reason })
		}
		pause(ctx, l.pace)
	}
}

// decision() returns the id of a logged decision.
func (l *load) decision(ctx context.Context, a *reply) string {
	var got struct {
		Result struct {
			IsError           bool
			Content           []struct{ Text string }
			StructuredContent struct {
				AuditID string `json:"audit_id"`
			}
		}
	}
	if a.err != nil || ctx.Err() != nil {
		return ""
	}
	err := json.Unmarshal(a.body, &got)
	id := got.Result.StructuredContent.AuditID
	if err != nil || id == "" {
		l.problem("a decision: %d %s", a.status, a.body)
	}
	return id
}

// ask() repeatedly asks a server which guidelines apply. The answer must always have the guideline that hooks enforce.
func (l *load) ask(ctx context.Context, m *machine) {
	for ctx.Err() == nil {
		a := m.call(ctx, l.ledger, question, map[string]any{"definitions": true})
		if a.err == nil && !a.containsID("locked") {
			l.problem("the answer to a question lacks a guideline: %d %.2000s", a.status, a.body)
		}
		pause(ctx, l.pace)
	}
}

// question is the name of the tool that says which guidelines apply.
const question = "guardrails_get_context"

// append() appends decisions to the store from this process, which is not killed. It repeats each call with the same
// entry until the call is acknowledged.
func (l *load) append(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		e := store.Entry{
			ID: fmt.Sprintf("store-%d", i), Kind: store.KindDecision, Event: "decision", Actor: "another",
			Decision: &store.Decision{Result: "allow"},
		}
		for ctx.Err() == nil {
			if _, err := l.past.Append(ctx, e); err == nil {
				l.add(&l.appended, e.ID)
				break
			}
			pause(ctx, 20*time.Millisecond)
		}
		pause(ctx, l.pace)
	}
}
