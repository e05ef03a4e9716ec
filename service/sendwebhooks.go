package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"guardrails/store"
	"guardrails/store/live"
	"guardrails/webhook"
	"guardrails/webhook/dispatch"
)

const (
	// dispatchEvery is the time between two checks of the audit for new events. A record also waits in the spool for a
	// short time. With both waits, an event is sent within two seconds.
	dispatchEvery = 500 * time.Millisecond
	// listEvery is the time between two searches for tenants that have webhooks.
	listEvery = time.Minute
	// dispatchTime limits how long one check of a store may take.
	dispatchTime = 10 * time.Second
)

// Dispatch sends events to webhooks until the context is done. Only one process at a time sends the events of a tenant
// in a store. Dispatch calls count() with the outcome of each try. It calls report() with each problem that the
// operator should know about.
func (s *Service) Dispatch(ctx context.Context, sender dispatch.Sender, count func(outcome string), report func(error)) {
	if s.stores == nil {
		return
	}
	all, known := map[*live.Store]*dispatch.Dispatcher{}, map[*live.Store]*withWebhooks{}
	o := dispatch.Options{Holder: store.NewID(s.now()), Now: s.now, Sender: sender, Count: count, Report: report}
	defer func() {
		for _, d := range all {
			d.Close(ctx)
		}
	}()
	errs := reporter{report: report}
	tick := time.NewTicker(dispatchEvery)
	defer tick.Stop()
	for {
		var problems []error
		for from, tenants := range s.dispatched(ctx) {
			if all[from] == nil {
				all[from], known[from] = dispatch.New(ctx, o), &withWebhooks{}
			}
			problems = append(problems, dispatchTurn(ctx, all[from], known[from], from, tenants))
		}
		if ctx.Err() == nil {
			errs.add(errors.Join(problems...))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// withWebhooks lists those tenants of a store that have webhooks. The events of these tenants are sent even if nobody
// requests their guidelines from the server.
type withWebhooks struct {
	names  []string
	listed time.Time
}

// list() reads which tenants have webhooks. It does nothing if it has read them a short time ago.
func (w *withWebhooks) list(ctx context.Context, from *live.Store) error {
	if !w.listed.IsZero() && time.Since(w.listed) < listEvery {
		return nil
	}
	names, err := from.EndpointTenants(ctx)
	if err == nil {
		w.names, w.listed = names, time.Now()
	}
	return err
}

// dispatched() returns each open store with those of its tenants that are in use.
func (s *Service) dispatched(ctx context.Context) map[*live.Store][]string {
	out := map[*live.Store][]string{}
	own, c, err := s.storeOf(ctx, "")
	for _, opened := range s.stores.openStores() {
		out[opened] = opened.Tenants()
	}
	if err == nil { // Upkeep reports a store that cannot be opened
		out[own] = s.pruned(own, c.Tenant)
	}
	return out
}

// dispatchTurn sends the events of the tenants that are in use or have webhooks.
func dispatchTurn(ctx context.Context, d *dispatch.Dispatcher, known *withWebhooks, from *live.Store, inUse []string) error {
	limited, stop := context.WithTimeout(ctx, dispatchTime)
	defer stop()
	notListed := known.list(limited, from)
	names := slices.Concat(inUse, known.names)
	slices.Sort(names)
	names = slices.Compact(names)
	lists, err := from.Endpoints(limited, names...)
	if err != nil {
		return err
	}
	tenants := make([]dispatch.Tenant, len(names))
	for i, name := range names {
		to := from.For(live.Caller{Tenant: name, Actor: webhook.Actor}).Webhooks()
		tenants[i] = dispatch.Tenant{Name: name, Store: to, Endpoints: lists[i]}
	}
	return errors.Join(notListed, d.Turn(ctx, tenants))
}
