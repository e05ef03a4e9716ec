package webhook

import (
	"context"
	"time"

	"guardrails/store"
)

// The reasons why guardrails itself disables an endpoint.
const (
	WhyGone = "the receiver answered 410 Gone"
	WhyDead = "20 tries in a row failed over more than a day"
)

// Endpoints is the part of a store that Disable needs.
type Endpoints interface {
	Endpoints(ctx context.Context) ([]store.Endpoint, error)
	PutEndpoint(ctx context.Context, e store.Endpoint) (store.Endpoint, error)
	Append(ctx context.Context, entries ...store.Entry) ([]store.Entry, error)
}

// maxAttempts is the maximum number of attempts of Disable. An attempt fails if somebody else has just changed the
// endpoint.
const maxAttempts = 5

// Disable disables an endpoint. It returns nil if the endpoint is disabled already, or was removed.
func Disable(ctx context.Context, in Endpoints, id, why string, now time.Time) (*store.Endpoint, error) {
	for range maxAttempts {
		list, err := in.Endpoints(ctx)
		if err != nil {
			return nil, err
		}
		e := find(list, id)
		if e == nil || e.Removed || e.Disabled != "" {
			return nil, nil
		}
		// e.Change is about to be overwritten. If the process that made the previous change was killed, the audit may still
		// lack the entry of this change, so add the entry first.
		if e.Change != nil {
			if _, err := in.Append(ctx, *e.Change); err != nil {
				return nil, err
			}
		}
		e.Disabled = why
		NoteChange(e, EntryDisabled, Actor, now, store.FieldChange{Field: "disabled", New: Value(why)})
		put, err := in.PutEndpoint(ctx, *e)
		if store.CodeOf(err) == store.Conflict {
			continue
		}
		if err != nil {
			return nil, err
		}
		_, err = in.Append(ctx, *put.Change)
		return &put, err
	}
	return nil, store.Errorf(store.Conflict, "the webhook %s could not be disabled, because others changed it at the same time", id)
}

func find(list []store.Endpoint, id string) *store.Endpoint {
	for i := range list {
		if list[i].ID == id {
			return &list[i]
		}
	}
	return nil
}
