package webhook

import (
	"fmt"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// The events of audit entries about webhooks: the outcome of a delivery, and changes of endpoints.
const (
	EntryDelivered = "webhook_delivered"
	EntryGivenUp   = "webhook_given_up"
	EntryAdded     = "webhook_added"
	EntryChanged   = "webhook_changed"
	EntryRotated   = "webhook_rotated"
	EntryDisabled  = "webhook_disabled"
	EntryRemoved   = "webhook_removed"
)

// Actor is the name of the actor in audit entries about actions of guardrails itself.
const Actor = "guardrails"

// OutcomeEntry returns the audit entry about the outcome of a delivery. The id of the entry is always the same for the
// same outcome, so adding the entry again changes nothing.
func OutcomeEntry(d *store.Delivery, now time.Time) store.Entry {
	event := EntryGivenUp
	if d.State == store.DeliveryDone {
		event = EntryDelivered
	}
	last := d.Tries[len(d.Tries)-1]
	answer := fmt.Sprintf("the status %d", last.Status)
	if last.Status == 0 {
		answer = "no answer"
	}
	return store.Entry{
		ID: "webhook:" + d.ID + ":" + d.State, Kind: store.KindDecision, Event: event, Actor: Actor, Time: now,
		Decision: &store.Decision{
			Result: d.State, Reason: fmt.Sprintf("%s to %s: %s at try %d", d.Event, d.Endpoint, answer, last.Attempt),
		},
		Context: &guideline.Context{Metadata: map[string]any{
			"webhook": d.Endpoint, "delivery": d.ID, "event": d.Event, "tries": last.Attempt, "status": last.Status,
		}},
	}
}
