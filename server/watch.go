package server

import (
	"context"
	"errors"
	"time"

	"guardrails/config"
	"guardrails/service"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/webhook"
)

// counted() returns a function that calls open() and makes the server count the events of the opened store.
func (s *Server) counted(
	open func(context.Context, *config.Config) (*live.Store, error),
) func(context.Context, *config.Config) (*live.Store, error) {
	if open == nil {
		return nil
	}
	return func(ctx context.Context, c *config.Config) (*live.Store, error) {
		opened, err := open(ctx, c)
		if err == nil {
			opened.Observe(s.count)
		}
		return opened, err
	}
}

// signalChange makes ServeStdio notify its client.
func (s *Server) signalChange() {
	select {
	case s.changed <- struct{}{}:
	default: // the client has not been notified of an earlier change yet
	}
}

// These events are audit entries of the kind "decision", but the metrics do not count them as decisions. Prompts are
// not counted at all. The other two events have counters of their own.
const (
	eventPrompt   = "prompt"
	eventFallback = "fallback"
	eventFailOpen = "fail_open"
)

// count() adds an event of a store to the metrics.
func (s *Server) count(e live.Event) {
	switch {
	case e.Kind != live.DecisionMade:
		s.metrics.Changed(string(e.Kind))
		if e.Tenant == s.tenant {
			s.signalChange()
		}
	case e.Entry.Decision == nil, e.Entry.Event == eventPrompt,
		e.Entry.Event == webhook.EntryDelivered, e.Entry.Event == webhook.EntryGivenUp:
	case e.Entry.Event == eventFallback:
		s.metrics.Fallback(e.Entry.Decision.Result)
	case e.Entry.Event == eventFailOpen:
		s.metrics.Unguarded()
	default:
		s.metrics.Decision(e.Entry.Decision.Result)
	}
}

// countEntries reads the number of entries that were ever added to the audit, by any process. The sequence number of a
// chain's newest entry is the number of entries that the chain has ever had.
func (s *Server) countEntries(ctx context.Context, from *live.Store, tenant string) {
	heads, err := from.For(live.Caller{Tenant: tenant}).Heads(ctx)
	if err != nil {
		return // if the error lasts, the next check reports it
	}
	count := map[store.Kind]int64{store.KindChange: 0, store.KindDecision: 0}
	for i := range heads {
		count[heads[i].Kind] += heads[i].Seq
	}
	for kind, n := range count {
		s.metrics.AuditEntries(string(kind), n)
	}
}

const checkEvery = 5 * time.Second

// watch() checks the store of the server's project until the context ends. It logs when the store fails and when the
// store works again. While the store works, watch() also checks the other tenants whose guidelines are in memory.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	last, up := s.now(), true
	for {
		now := s.now()
		up = s.check(ctx, up, now.Sub(last))
		if waiting, err := s.own.BacklogBytes(); err == nil { // Upkeep reports a spool that cannot be read
			s.metrics.Spool(waiting)
		}
		last = now
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// check() checks the store once and reports whether it works. The parameter "was" is the result of the previous
// check. The parameter "since" is the time that has passed since then.
func (s *Server) check(ctx context.Context, was bool, since time.Duration) (up bool) {
	c, tenant, err := s.own.Store(ctx, "")
	if errors.Is(err, live.ErrNoStore) {
		return true
	}
	if err == nil {
		var v live.Snapshot
		if v, err = c.Snapshot(ctx, tenant); err == nil {
			err = v.Err
		}
	}
	answers := err == nil
	if answers {
		err = c.Writable(ctx, tenant)
	}
	if ctx.Err() != nil {
		return was
	}
	s.metrics.Store(err == nil, since)
	found := err
	if found == nil {
		found = s.own.CheckClock(ctx)
	}
	fault := storefault.Of(found)
	if last := s.fault.Swap(&fault); last == nil || *last != fault {
		s.logFault(fault, answers, found)
	}
	if answers {
		s.countEntries(ctx, c, tenant)
	}
	if err == nil {
		s.checkTenants(ctx, service.TenantStore{Store: c, Tenant: tenant})
	}
	if err == nil && !was {
		s.log.Info("the store works again")
	}
	return err == nil
}

// logFault logs what is wrong with the store or the clock.
func (s *Server) logFault(fault string, answers bool, err error) {
	text := "the store does not answer; the last known guidelines apply, and decisions wait in local files"
	switch {
	case err == nil:
		return
	case fault == storefault.Older:
		text = "the store lacks data that it had before, so nothing in it is changed, and decisions wait in local files"
	case fault == storefault.Lost:
		text = "the store or a part of it is missing; the last known guidelines apply, and decisions wait in local files"
	case fault == storefault.Clock:
		text = "the clock is wrong"
	case answers:
		text = "the store cannot be changed; its guidelines apply, and decisions wait in local files"
	}
	s.log.Error(text, "error", err, "fault", fault)
}
