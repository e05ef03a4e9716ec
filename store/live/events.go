package live

import (
	"context"

	"guardrails/store"
)

// EventKind is a kind of event.
type EventKind string

// The kinds of events.
const (
	GuidelineChanged   EventKind = "guideline_changed"
	GuidelinesImported EventKind = "guidelines_imported"
	// GuidelinesReread means that another process changed guidelines.
	GuidelinesReread EventKind = "guidelines_reread"
	DecisionMade     EventKind = "decision_made"
)

// Event is something that happened in a tenant.
type Event struct {
	Kind      EventKind
	Tenant    string
	Guideline string
	// ProjectID is the project that the guideline belongs to; empty means all projects.
	ProjectID string
	Version   int
	Actor     string
	// Entry is the audit entry of a decision.
	Entry *store.Entry
}

// listener receives the events of one tenant.
type listener struct {
	tenant string
	events chan Event
}

// maxPending is the number of events that can wait for a listener. While that many events wait, the listener misses new
// ones.
const maxPending = 256

// Listen returns a channel with the events of a tenant, which are sent until stop is called. A receiver that is too
// slow misses events.
func (s *Store) Listen(tenant string) (events <-chan Event, stop func()) {
	l := &listener{tenant, make(chan Event, maxPending)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners[l] = true
	return l.events, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listeners, l)
	}
}

// Observe calls observer for every event of every tenant from now on, one at a time. The observer must return quickly.
func (s *Store) Observe(observer func(Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observers = append(s.observers, observer)
}

// announce sends an event to observers and listeners.
func (s *Store) announce(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, observe := range s.observers {
		observe(e)
	}
	for l := range s.listeners {
		if l.tenant != e.Tenant {
			continue
		}
		select {
		case l.events <- e:
		default:
		}
	}
}

// announceChange updates the snapshot in memory, and then announces a change of guidelines.
func (s *Store) announceChange(ctx context.Context, e Event) {
	s.refresh(ctx, e.Tenant)
	s.changed()
	s.announce(e)
}
