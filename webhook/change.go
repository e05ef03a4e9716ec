package webhook

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"guardrails/store"
)

// NoteChange sets the audit entry of a change of an endpoint. The entry is stored with the change. The parameter
// "changes" must not contain a secret.
func NoteChange(e *store.Endpoint, event, actor string, now time.Time, changes ...store.FieldChange) {
	e.Updated = now.UTC().Truncate(time.Millisecond)
	e.Change = &store.Entry{
		ID: fmt.Sprintf("webhook:%s:v%d", e.ID, e.Version+1), Kind: store.KindChange, Event: event, Actor: actor, Time: e.Updated,
		Changes: append([]store.FieldChange{{Field: "webhook", New: Value(e.ID)}}, changes...),
	}
}

// Value returns a value of a changed field as JSON.
func Value(v any) json.RawMessage { return encode(v) }

// Differences returns what a person changed in an endpoint. The result contains URLs only in the form that the function
// Shown returns.
func Differences(before, after *store.Endpoint) (out []store.FieldChange) {
	add := func(field string, was, is any) {
		if old, next := Value(was), Value(is); string(old) != string(next) {
			out = append(out, store.FieldChange{Field: field, Old: old, New: next})
		}
	}
	if before.URL != after.URL {
		out = append(out, store.FieldChange{Field: "url", Old: Value(Shown(before)), New: Value(Shown(after))})
	}
	add("format", before.Format, after.Format)
	add("events", slices.Clone(before.Events), slices.Clone(after.Events))
	add("allow_private", before.AllowPrivate, after.AllowPrivate)
	add("description", before.Description, after.Description)
	add("disabled", before.Disabled, after.Disabled)
	return out
}
