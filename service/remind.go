package service

import (
	"context"
	"slices"
	"time"

	"guardrails/detect/safety"
	"guardrails/internal/spool/intake"
	"guardrails/store"
	"guardrails/store/live"
)

// A process without a memory answers one request. It begins without cooldowns and trips. (A trip is an answer that
// encouraged a person to depend on the model.) So when the process needs the cooldowns and trips of a person, it reads
// them. remindTime limits how long it reads, because a prompt waits. mostReminded limits how many checks it reads from
// the audit.
const (
	remindTime   = 300 * time.Millisecond
	mostReminded = 2 * store.MaxPageSize
)

// safetyKinds is a text that only records of the safety gate have.
const safetyKinds = `"kind":"safety_`

// For each person, a process notes which checks of the safety gate it has read: all checks, or only trips. A trip is an
// answer that encouraged the person to depend on the model.
const (
	allChecks = "all"
	onlyTrips = "trips"
)

// remind() reads the cooldowns and trips of a person in a process without a memory. It reads the spool of this computer
// and then the audit. If the spool and the audit cannot be read in time, remind() uses what it has read: an event that
// is sent once too often is better than a prompt that waits.
func (s *Service) remind(ctx context.Context, root string, b *rulebook, user, session string) {
	if s.lacks(allChecks, b.settings.Tenant, personOf(user, session)) {
		since := s.now().Add(-max(safety.CooldownWindow, s.policiesOf(root, b).set.LongestCooldown()))
		s.readChecks(ctx, b, user, session, since, safetyOutput, safetyInput)
	}
}

// remindOfTrips is like remind, but it reads only the trips of a session. Trips do not count for long, so it does not
// read far back.
func (s *Service) remindOfTrips(ctx context.Context, b *rulebook, session string) {
	if s.lacks(onlyTrips, b.settings.Tenant, personOf("", session)) {
		s.readChecks(ctx, b, "", session, s.now().Add(-safety.CooldownWindow), safetyOutput)
	}
}

// lacks() reports whether this process still has to read earlier checks about a person: all of them, or only the trips.
// It returns true only once for the same checks, because the caller then reads them.
func (s *Service) lacks(checks, tenant, person string) bool {
	if s.memory != nil || person == "" {
		return false
	}
	if _, hasAll := s.reminded.Load([3]string{tenant, person, allChecks}); hasAll {
		return false
	}
	_, isKnown := s.reminded.LoadOrStore([3]string{tenant, person, checks}, true)
	return !isKnown
}

// readChecks reads those earlier checks about a person that have one of the given events. It ignores checks before the
// time "since".
func (s *Service) readChecks(
	ctx context.Context, b *rulebook, user, session string, since time.Time, events ...string,
) {
	ctx, stop := context.WithTimeout(ctx, remindTime)
	defer stop()
	person, tenant := personOf(user, session), b.settings.Tenant
	use := func(e *store.Entry) {
		// This process may have counted trips of other people already. If it noted their entries too, it would count
		// these trips twice.
		if e.Tenant == tenant && slices.Contains(events, e.Event) && personOf(detailsOf(e).User, e.Session) == person {
			s.restoreEntry(tenant, e)
		}
	}
	_ = intake.Recent(ctx, s.spools(), since, safetyKinds, use)
	if b.fallback != nil || b.settings.RemoteAudit {
		return // the store cannot be read, or the audit is on another computer
	}
	filter := store.AuditFilter{Kind: store.KindDecision, From: since}
	if user == "" {
		filter.Session = session
	}
	if from, err := s.stores.get(ctx, &b.settings); err == nil {
		newestChecks(ctx, from.For(live.Caller{Tenant: tenant}), filter, events, use)
	}
}

// newestChecks calls use() with the newest checks in the audit that match a filter and have one of the given events.
func newestChecks(
	ctx context.Context, of *live.TenantStore, filter store.AuditFilter, events []string, use func(*store.Entry),
) {
	for _, filter.Event = range events {
		next := store.Paging{Size: store.MaxPageSize}
		for read := 0; read < mostReminded; read += next.Size {
			page, err := of.Audit(ctx, store.AuditQuery{AuditFilter: filter, Paging: next})
			if err != nil {
				return
			}
			for i := range page.Items {
				use(&page.Items[i])
			}
			if page.Next == "" {
				break
			}
			next.Cursor = page.Next
		}
	}
}
