package proof

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/anishathalye/porcupine"

	"guardrails/guideline"
	"guardrails/store"
)

// tenant is the tenant whose guidelines the clients change.
const tenant = "proof"

// The interface "guidelines" is the part of a store that clients use.
type guidelines interface {
	store.Editor
	Get(ctx context.Context, tenant, id string) (guideline.Guideline, error)
}

// The interface "audited" is for stores whose audit the clients read, too. Trail checks that the audit has each version
// of a guideline once, and returns the newest version.
type audited interface {
	Trail(ctx context.Context, id string) (newest int, err error)
}

// client makes random calls and records their results.
type client struct {
	number int
	store  guidelines
	random *rand.Rand
	start  time.Time
	// The field "hasty" is the percentage of calls that get a context with a very short timeout.
	hasty int
	// prefix is the beginning of the ids of the guidelines.
	prefix string
	// The field "calls" counts the calls of the client.
	calls int
	// The map "seen" has, for each guideline, the version that the client saw last.
	seen map[string]int
	log  []porcupine.Operation
}

func newClient(number int, s guidelines, start time.Time, hasty int) *client {
	return &client{
		number: number, store: s, random: rand.New(rand.NewPCG(uint64(number), 1)), start: start, hasty: hasty,
		seen: map[string]int{},
	}
}

// work() makes random calls for a number of guidelines, one after the other.
func (c *client) work(calls, ids int) {
	for range calls {
		c.calls++
		next := call{
			id: fmt.Sprintf("%sg%d", c.prefix, c.random.IntN(ids)), name: fmt.Sprintf("%d-%d", c.number, c.calls),
		}
		next.what = []string{get, get, create, update, update, update, toggle, remove}[c.random.IntN(8)]
		if _, ok := c.store.(audited); ok && c.random.IntN(8) == 0 {
			next.what = trail
		}
		if next.version = max(1, c.seen[next.id]); next.isRead() || next.what == create {
			next.version = 0
		}
		c.makeCall(next)
	}
}

// makeCall makes a call and records its result. If the context of the call ends first, makeCall either repeats the call
// with the same write id, or records that the result is unknown.
func (c *client) makeCall(next call) {
	id, began := store.NewID(time.Now()), time.Now()
	next.write = id
	got := c.once(next, id, c.random.IntN(100) < c.hasty)
	if got.unknown && c.random.IntN(2) == 0 {
		repeated := time.Now()
		again := c.once(next, id, false)
		if again.code != "" || again.unknown || again.untouched {
			// The first call may still take effect.
			c.record(next, got, began)
			began = repeated
		}
		got = again
	}
	c.record(next, got, began)
}

// record() records the result of a call that began at the given time.
func (c *client) record(next call, got answer, began time.Time) {
	o := porcupine.Operation{
		ClientId: c.number, Input: next, Output: got, Call: began.Sub(c.start).Nanoseconds(),
		Return: time.Since(c.start).Nanoseconds(),
	}
	if got.unknown && !got.untouched && !next.isRead() {
		o.Return = math.MaxInt64
	}
	if got.version > 0 {
		c.seen[next.id] = got.version
	}
	c.log = append(c.log, o)
}

func (c *client) once(next call, id string, hasty bool) answer {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	if hasty {
		ctx, cancel = context.WithTimeout(context.Background(), time.Duration(c.random.IntN(3000))*time.Microsecond)
	}
	defer cancel()
	g, err := c.ask(ctx, next, store.Write{ID: id, Tenant: tenant, Actor: fmt.Sprint("client-", c.number)})
	if next.what == remove {
		g = guideline.Guideline{}
	}
	got := answer{code: store.CodeOf(err), version: g.Version, name: g.Name, enabled: g.Enabled}
	if failure := new(store.Error); errors.As(err, &failure) {
		got.version = failure.Version
	}
	if got.code == store.Unavailable || got.code == store.ReadOnly {
		got = answer{unknown: true, untouched: store.ChangedNothing(err)}
	}
	return got
}

func (c *client) ask(ctx context.Context, next call, w store.Write) (guideline.Guideline, error) {
	ref := store.Ref{Key: next.id, Version: next.version}
	switch next.what {
	case get:
		return c.store.Get(ctx, tenant, next.id)
	case trail:
		newest, err := c.store.(audited).Trail(ctx, next.id)
		return guideline.Guideline{Version: newest}, err
	case create:
		return c.store.Create(ctx, w, next.guideline())
	case update:
		return c.store.Update(ctx, w, next.guideline())
	case toggle:
		return c.store.Toggle(ctx, w, ref)
	default:
		return guideline.Guideline{}, c.store.Delete(ctx, w, ref)
	}
}

func (c call) guideline() guideline.Guideline {
	return guideline.Guideline{
		ID: c.id, Version: c.version, Name: c.name, Enabled: true, Category: guideline.Custom,
		Action: guideline.Action{Type: guideline.Instruction},
	}
}
