package service

import (
	"context"
	"time"

	"guardrails/detect/safety"
	"guardrails/internal/spool/intake"
	"guardrails/store"
	"guardrails/store/live"
)

// A process without a memory answers one request. It begins without cooldowns and trips, so it reads those of one person
// when it needs them. remindTime limits how long it reads the audit, because a prompt waits. mostReminded limits how
// many checks it reads from the audit.
const (
	remindTime   = 300 * time.Millisecond
	mostReminded = 2 * store.MaxPageSize
)

// safetyKinds is a text that only records of the safety gate have.
const safetyKinds = `"kind":"safety_`

// remind() reads the cooldowns and trips of a person in a process without a memory. It reads the spool of this computer
// and then the audit. If the audit cannot be read in time, remind() uses what it has read: an event that is sent
// once too often is better than a prompt that waits.
func (s *Service) remind(ctx context.Context, root string, b *rulebook, user, session string) {
	person, tenant := personOf(user, session), b.settings.Tenant
	if s.memory != nil || person == "" {
		return
	}
	if _, isKnown := s.reminded.LoadOrStore([2]string{tenant, person}, true); isKnown {
		return
	}
	since := s.now().Add(-max(safety.CooldownWindow, s.policiesOf(root, b).set.LongestCooldown()))
	use := func(e *store.Entry) {
		// This process may have counted trips of other people. It would count these trips twice.
		if e.Tenant == tenant && personOf(detailsOf(e).User, e.Session) == person {
			s.restoreEntry(tenant, e)
		}
	}
	_ = intake.Recent(s.spools(), since, safetyKinds, use)
	if b.fallback != nil || b.settings.RemoteAudit {
		return // the store cannot be read, or the audit is on another computer
	}
	filter := store.AuditFilter{Kind: store.KindDecision, From: since}
	if user == "" {
		filter.Session = session
	}
	ctx, stop := context.WithTimeout(ctx, remindTime)
	defer stop()
	if from, err := s.stores.get(ctx, &b.settings); err == nil {
		newestChecks(ctx, from.For(live.Caller{Tenant: tenant}), filter, use)
	}
}

// newestChecks calls use() with the newest checks in the audit that match a filter.
func newestChecks(ctx context.Context, of *live.TenantStore, filter store.AuditFilter, use func(*store.Entry)) {
	for _, filter.Event = range []string{safetyOutput, safetyInput} {
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
