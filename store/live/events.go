package live

import (
	"context"

	"guardrails/store"
)

// EventKind is what happened.
type EventKind string

// The kinds of events.
const (
	GuidelineChanged   EventKind = "guideline_changed"
	GuidelinesImported EventKind = "guidelines_imported"
	// GuidelinesReread tells that somebody else changed guidelines.
	GuidelinesReread EventKind = "guidelines_reread"
	DecisionMade     EventKind = "decision_made"
)

// Event is something that happened in a tenant.
type Event struct {
	Kind      EventKind
	Tenant    string
	Guideline string
	Version   int
	Actor     string
	// Entry is the decision that was made.
	Entry *store.Entry
}

// listener is somebody who wants to hear of a tenant.
type listener struct {
	tenant string
	events chan Event
}

// maxWaiting is how many events a listener may be behind; further ones pass it by.
const maxWaiting = 256

// Listen tells of what happens in a tenant until stop is called. A listener that does not keep up misses events.
func (c *Catalog) Listen(tenant string) (events <-chan Event, stop func()) {
	l := &listener{tenant, make(chan Event, maxWaiting)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners[l] = true
	return l.events, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.listeners, l)
	}
}

// Observe tells of everything that happens from now on, of every tenant and each thing once. It is called in turn, and must
// not take long.
func (c *Catalog) Observe(observer func(Event)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observers = append(c.observers, observer)
}

// tell lets observers and listeners hear of an event.
func (c *Catalog) tell(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, observe := range c.observers {
		observe(e)
	}
	for l := range c.listeners {
		if l.tenant != e.Tenant {
			continue
		}
		select {
		case l.events <- e:
		default:
		}
	}
}

// told makes a change of guidelines seen in memory, and tells of it.
func (c *Catalog) told(ctx context.Context, e Event) {
	c.refresh(ctx, e.Tenant)
	c.changed()
	c.tell(e)
}
