package live

import (
	"context"
	"time"

	"guardrails/store"
)

// Endpoints returns the webhooks of each tenant, with their secrets.
func (s *Store) Endpoints(ctx context.Context, tenants ...string) ([][]store.Endpoint, error) {
	return call(ctx, s.conn, s.conn.reads, holder{}, func(s store.Store, _ int64) ([][]store.Endpoint, error) {
		return s.Endpoints(ctx, tenants...)
	})
}

// EndpointTenants returns the tenants that have webhooks.
func (s *Store) EndpointTenants(ctx context.Context) ([]string, error) {
	return call(ctx, s.conn, s.conn.reads, holder{}, func(s store.Store, _ int64) ([]string, error) { return s.EndpointTenants(ctx) })
}

// Webhooks gives a dispatcher access to the webhooks of one tenant.
type Webhooks struct{ *TenantStore }

// Webhooks is a method that returns the webhooks of the tenant.
func (t *TenantStore) Webhooks() Webhooks { return Webhooks{t} }

// Tenant returns the tenant.
func (t *TenantStore) Tenant() string { return t.caller.Tenant }

// Actor returns the person or program that uses the store.
func (t *TenantStore) Actor() string { return t.caller.Actor }

// WriteID returns the id by which a repeated change is recognized, or "".
func (t *TenantStore) WriteID() string { return t.caller.WriteID }

// Endpoints returns the endpoints of the tenant, with their secrets.
func (w Webhooks) Endpoints(ctx context.Context) ([]store.Endpoint, error) {
	lists, err := readStore(ctx, w.TenantStore, func(s store.Store) ([][]store.Endpoint, error) {
		return s.Endpoints(ctx, w.caller.Tenant)
	})
	if err != nil {
		return nil, err
	}
	return lists[0], nil
}

// PutEndpoint creates or replaces an endpoint.
func (w Webhooks) PutEndpoint(ctx context.Context, e store.Endpoint) (store.Endpoint, error) {
	if err := w.store.mayChange(ctx, w.caller.Tenant); err != nil {
		return e, err
	}
	return changeStore(ctx, w.TenantStore, func(s store.Store) (store.Endpoint, error) {
		return s.PutEndpoint(ctx, w.caller.Tenant, e)
	})
}

// Lease makes a dispatcher the only dispatcher of the tenant for the duration d. The parameter "holder" is the name of
// this dispatcher.
func (w Webhooks) Lease(ctx context.Context, holder string, d time.Duration) (bool, error) {
	return changeStore(ctx, w.TenantStore, func(s store.Store) (bool, error) {
		return s.Lease(ctx, w.caller.Tenant, holder, d)
	})
}

// Follow returns the decisions after a given decision, and the number of the newest decision. The parameter "after" is
// the number of the given decision.
func (w Webhooks) Follow(ctx context.Context, after int64, limit int) (entries []store.Entry, last int64, err error) {
	type found struct {
		entries []store.Entry
		last    int64
	}
	f, err := readStore(ctx, w.TenantStore, func(s store.Store) (f found, err error) {
		f.entries, f.last, err = s.Follow(ctx, w.caller.Tenant, after, limit)
		return f, err
	})
	return f.entries, f.last, err
}

// Marks returns the marks of the endpoints. A mark says which decisions the dispatcher has already processed for one
// endpoint.
func (w Webhooks) Marks(ctx context.Context) ([]store.Mark, error) {
	return readStore(ctx, w.TenantStore, func(s store.Store) ([]store.Mark, error) { return s.Marks(ctx, w.caller.Tenant) })
}

// Queue adds deliveries and replaces marks.
func (w Webhooks) Queue(ctx context.Context, deliveries []store.Delivery, marks ...store.Mark) error {
	_, err := changeStore(ctx, w.TenantStore, func(s store.Store) (struct{}, error) {
		return struct{}{}, s.Queue(ctx, w.caller.Tenant, deliveries, marks...)
	})
	return err
}

// SaveDelivery replaces a delivery.
func (w Webhooks) SaveDelivery(ctx context.Context, d store.Delivery) error {
	_, err := changeStore(ctx, w.TenantStore, func(s store.Store) (struct{}, error) {
		return struct{}{}, s.SaveDelivery(ctx, w.caller.Tenant, d)
	})
	return err
}

// Deliveries returns one page of deliveries.
func (w Webhooks) Deliveries(ctx context.Context, q store.DeliveryQuery) (store.Page[store.Delivery], error) {
	return readStore(ctx, w.TenantStore, func(s store.Store) (store.Page[store.Delivery], error) {
		return s.Deliveries(ctx, w.caller.Tenant, q)
	})
}

// PruneDeliveries deletes old deliveries.
func (w Webhooks) PruneDeliveries(ctx context.Context, before time.Time, keep int) (int64, error) {
	return changeStore(ctx, w.TenantStore, func(s store.Store) (int64, error) {
		return s.PruneDeliveries(ctx, w.caller.Tenant, before, keep)
	})
}
