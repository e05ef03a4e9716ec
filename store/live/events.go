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
	// ID identifies the event among the events of this process. It is set for listeners only.
	ID        string
	Kind      EventKind
	Tenant    string
	Guideline string
	// ProjectID is the project that the guideline belongs to. It is empty if the guideline belongs to all projects.
	ProjectID string
	Version   int
	Actor     string
	// Entry is the audit entry of a decision.
	Entry *store.Entry
}

// Observe makes the store call the function observer() for every later event of every tenant, one event at a time. The
// observer must return quickly.
func (s *Store) Observe(observer func(Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observers = append(s.observers, observer)
}

// announce() passes an event to observers and listeners.
func (s *Store) announce(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, observe := range s.observers {
		observe(e)
	}
	if t := s.topics[e.Tenant]; t != nil {
		t.add(s.run, e)
	}
}

// announceChange updates the snapshot in memory, and then announces a change of guidelines.
func (s *Store) announceChange(ctx context.Context, e Event) {
	s.refresh(ctx, e.Tenant)
	s.changed()
	s.announce(e)
}
