// Package dispatch sends the events of the audit to endpoints. For each endpoint, it stores the number of the last
// audit entry whose events are queued. Therefore, a crash loses no event, and an endpoint gets each event at least
// once.
//
// Start with Dispatcher.Turn. tenant.go turns audit entries into deliveries, and worker.go tries these deliveries.
package dispatch

import (
	"context"
	"errors"
	"sync"
	"time"

	"guardrails/store"
	"guardrails/webhook"
)

// Store gives access to the data of one tenant.
type Store interface {
	Endpoints(ctx context.Context) ([]store.Endpoint, error)
	PutEndpoint(ctx context.Context, e store.Endpoint) (store.Endpoint, error)
	Lease(ctx context.Context, holder string, d time.Duration) (bool, error)
	Follow(ctx context.Context, after int64, limit int) (entries []store.Entry, last int64, err error)
	Marks(ctx context.Context) ([]store.Mark, error)
	Queue(ctx context.Context, deliveries []store.Delivery, marks ...store.Mark) error
	SaveDelivery(ctx context.Context, d store.Delivery) error
	Deliveries(ctx context.Context, q store.DeliveryQuery) (store.Page[store.Delivery], error)
	PruneDeliveries(ctx context.Context, before time.Time, keep int) (int64, error)
	Append(ctx context.Context, entries ...store.Entry) ([]store.Entry, error)
}

// Sender tries a delivery once. If ctx ended before there was an answer, the result "ok" is false.
type Sender interface {
	Try(ctx context.Context, e *store.Endpoint, d *store.Delivery) (outcome webhook.Outcome, ok bool)
}

// Options configure a Dispatcher.
type Options struct {
	// Holder identifies the dispatcher among the dispatchers of all processes.
	Holder string
	Now    func() time.Time
	Sender Sender
	// Count is called with the outcome of each try: CountDelivered, CountFailed or CountGivenUp.
	Count func(outcome string)
	// Report tells the operator about errors, and about endpoints that were disabled.
	Report func(error)
}

// Dispatcher sends the events of the tenants of one store.
type Dispatcher struct {
	o Options
	// The field "work" is the context of tries.
	work    context.Context
	tenants map[string]*tenant
	running sync.WaitGroup
}

// New returns a dispatcher. When ctx ends, all running tries of the dispatcher end too.
func New(ctx context.Context, o Options) *Dispatcher {
	return &Dispatcher{o: o, work: ctx, tenants: map[string]*tenant{}}
}

// The outcomes that are counted.
const (
	CountDelivered = "delivered"
	CountFailed    = "failed"
	CountGivenUp   = "given_up"
)

// Tenant describes a tenant whose events the dispatcher sends.
type Tenant struct {
	Name      string
	Store     Store
	Endpoints []store.Endpoint
}

// Turn queues the new events of the tenants, and begins to try the deliveries that are due. It does not wait for
// answers of endpoints. For each tenant, Turn always uses the store from the first call of Turn, because tries continue
// between two calls.
func (d *Dispatcher) Turn(ctx context.Context, tenants []Tenant) error {
	var problems []error
	for _, t := range tenants {
		known := d.tenants[t.Name]
		if known == nil {
			if len(t.Endpoints) == 0 {
				continue
			}
			known = &tenant{d: d, store: t.Store, workers: map[string]*worker{}, logged: map[string]int{}}
			d.tenants[t.Name] = known
		}
		known.endpoints = t.Endpoints
		if err := known.turn(ctx); err != nil && ctx.Err() == nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// Wait waits until no delivery is being tried.
func (d *Dispatcher) Wait() { d.running.Wait() }

// releaseTime limits how long Close waits for the store.
const releaseTime = time.Second

// Close waits for running tries and lets other dispatchers take over. Cancel the context that was passed to New before
// you call Close.
func (d *Dispatcher) Close(ctx context.Context) {
	d.Wait()
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer stop()
	for _, t := range d.tenants {
		t.release(ctx)
	}
}
