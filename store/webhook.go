package store

import (
	"context"
	"encoding/json"
	"time"
)

// Webhooks stores the endpoints to which events are sent, and the deliveries. The events themselves are in the audit: a
// dispatcher reads the new entries of the audit and queues deliveries. Webhooks are not part of a dump.
type Webhooks interface {
	// Endpoints returns the endpoints of each tenant, ordered by id, with their secrets. The result includes removed
	// endpoints. The call takes so little time that it can be repeated often, for many tenants at once.
	Endpoints(ctx context.Context, tenants ...string) ([][]Endpoint, error)
	// EndpointTenants returns the tenants that have endpoints, in alphabetical order. It may also return tenants that
	// have removed all of their endpoints.
	EndpointTenants(ctx context.Context) ([]string, error)
	// PutEndpoint creates an endpoint if its version is 0, and replaces it otherwise. The version in e MUST be the current
	// version. If it is not, the error MUST be a Conflict with the current version. The new version number MUST be one
	// higher.
	PutEndpoint(ctx context.Context, tenant string, e Endpoint) (Endpoint, error)
	// Lease makes a dispatcher the only dispatcher of a tenant for the duration d. The parameter "holder" is the name of
	// this dispatcher. Lease returns true if the dispatcher got the lease. It MUST return false while the lease of another
	// dispatcher has not ended. The same dispatcher can extend its lease. A duration of 0 ends the lease.
	Lease(ctx context.Context, tenant, holder string, d time.Duration) (bool, error)
	// Follow returns the decisions that Append added after a given decision, oldest first, and at most as many as the
	// parameter "limit" says. The parameter "after" is the number of that decision. Follow MUST return every decision
	// that was acknowledged before the call, except pruned ones. The result "last" is the number of the newest
	// decision.
	Follow(ctx context.Context, tenant string, after int64, limit int) (entries []Entry, last int64, err error)
	// Marks returns the marks of a tenant's endpoints, ordered by endpoint. A mark says which decisions the dispatcher has
	// already processed for one endpoint. Marks MUST leave out a mark whose endpoint does not exist.
	Marks(ctx context.Context, tenant string) ([]Mark, error)
	// Queue adds deliveries and replaces the marks of their endpoints. A delivery that exists MUST NOT change. A mark MUST
	// NOT be stored without the deliveries.
	Queue(ctx context.Context, tenant string, deliveries []Delivery, marks ...Mark) error
	// SaveDelivery replaces a delivery.
	SaveDelivery(ctx context.Context, tenant string, d Delivery) error
	// Deliveries returns one page of deliveries, newest first. If the query asks for due deliveries, the delivery that has
	// been due for the longest time comes first.
	Deliveries(ctx context.Context, tenant string, q DeliveryQuery) (Page[Delivery], error)
	// PruneDeliveries deletes the deliveries that were created before a given time. It also deletes later deliveries that
	// are finished and are not among the newest deliveries. The parameter "keep" is the number of newest deliveries to
	// keep. The result is the number of deleted deliveries.
	PruneDeliveries(ctx context.Context, tenant string, before time.Time, keep int) (int64, error)
}

// Endpoint is a URL to which events are sent, with its settings.
type Endpoint struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	URL     string `json:"url"`
	// Format is "json", "slack" or "discord".
	Format string `json:"format"`
	// Events are the filters that select the events for the endpoint.
	Events []string `json:"events"`
	// If AllowPrivate is set, the endpoint may be in a private network.
	AllowPrivate bool   `json:"allow_private,omitempty"`
	Description  string `json:"description,omitempty"`
	// Secrets are the secrets with which requests are signed, newest first.
	Secrets []Secret `json:"secrets,omitempty"`
	// Disabled says why nothing is sent. It is empty if the endpoint is enabled.
	Disabled string    `json:"disabled,omitempty"`
	Created  time.Time `json:"created_at"`
	Updated  time.Time `json:"updated_at"`
	Actor    string    `json:"created_by"`
	// Run is the number of times that the endpoint was enabled. Begin is the number of the last decision before the
	// current run: the endpoint gets only events of later decisions.
	Run   int   `json:"run"`
	Begin int64 `json:"begin"`
	// Removed is set if the endpoint was removed. The URL and the secrets are then empty. The endpoint is kept so that a
	// repeated removal can be recognized.
	Removed bool `json:"removed,omitempty"`
	// Change is the audit entry of the newest change. The entry is stored together with the endpoint, so that the entry
	// cannot be lost.
	Change *Entry `json:"change,omitempty"`
	// With WriteID and Fingerprint, a repetition of the newest change can be recognized.
	WriteID     string `json:"write_id,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Secret is a secret of an endpoint. The secret is used until the time Expires. If Expires is the zero time, the secret
// does not expire.
type Secret struct {
	Text    string    `json:"text"`
	Expires time.Time `json:"expires,omitzero"`
}

// Mark says which decisions the dispatcher has already processed for an endpoint, and what the results of the last
// tries were.
type Mark struct {
	Endpoint string `json:"endpoint"`
	// Run is the run of the endpoint to which the mark belongs. Seq is the number of the last decision whose events are
	// queued.
	Run int   `json:"run"`
	Seq int64 `json:"seq"`
	// Failures counts the failed tries since the last successful one. FailingSince is the time of the first of these
	// failed tries.
	Failures     int       `json:"failures,omitempty"`
	FailingSince time.Time `json:"failing_since,omitzero"`
	// The field "Last" is the newest try of any delivery.
	Last *Try `json:"last,omitempty"`
}

// The states of a delivery.
const (
	DeliveryPending = "pending"
	DeliveryDone    = "delivered"
	DeliveryGivenUp = "given_up"
)

// Delivery is an event that is sent to one endpoint.
type Delivery struct {
	ID       string `json:"id"`
	Endpoint string `json:"endpoint"`
	Event    string `json:"event"`
	// ReplayOf is the id of the delivery that this one repeats.
	ReplayOf string    `json:"replay_of,omitempty"`
	State    string    `json:"state"`
	Created  time.Time `json:"created_at"`
	// Due is when the delivery is tried next. It is zero if the delivery is not tried again.
	Due time.Time `json:"next_at,omitzero"`
	// Body is the event as a JSON envelope.
	Body  string `json:"body"`
	Tries []Try  `json:"tries"`
}

// Try is one attempt to deliver.
type Try struct {
	Attempt int       `json:"attempt"`
	At      time.Time `json:"at"`
	// Status is the status code of the answer. If there was no answer, it is 0 and Error says why.
	Status     int    `json:"status,omitempty"`
	Error      string `json:"error,omitempty"`
	DurationMS int64  `json:"duration_ms"`
	// The field "Next" is the time at which the delivery is tried again. It is zero if the delivery is not tried again.
	Next time.Time `json:"next_at,omitzero"`
	// Answer is the beginning of the answer, with secrets masked.
	Answer string `json:"answer,omitempty"`
}

// DeliveryQuery selects deliveries that match all of its fields. Fields that are not set match every delivery.
type DeliveryQuery struct {
	Endpoint string
	ID       string
	// The field Due selects the deliveries that are due at this time.
	Due time.Time
	Paging
}

// EndpointConflict returns the error for a change whose version is not the current version of the endpoint. The
// parameter "current" is the current version of the endpoint, or 0 if the endpoint does not exist.
func EndpointConflict(id string, current int) *Error {
	e := Errorf(Conflict, "the webhook %.80q has version %d by now; read it again", id, current)
	if current == 0 {
		e = Errorf(NotFound, "there is no webhook %.80q", id)
	}
	e.Version = current
	return e
}

// EncodeWebhook returns an endpoint, a mark or a delivery as JSON.
func EncodeWebhook(value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", Errorf(Invalid, "cannot write a webhook as JSON: %w", err)
	}
	return string(text), nil
}
