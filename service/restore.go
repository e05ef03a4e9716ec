package service

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"guardrails/detect/safety"
	"guardrails/internal/product"
	"guardrails/service/screening"
	"guardrails/store"
	"guardrails/store/live"
)

// leastRestored is how far back a starting server reads the recorded checks, so that no cooldown ends early. If a known
// policy has a longer cooldown, the server reads the checks of that longer time. It does not know the policies of other
// projects yet.
const leastRestored = 7 * 24 * time.Hour

// restore reads the cooldowns of policies and the trips of users from the checks in the audit. It reads only checks
// from the time before began, which is when the server started.
func (s *Service) restore(ctx context.Context, began time.Time) error {
	c, err := s.Settings(ctx, "")
	if err != nil {
		return nil // mistakes in the settings are reported elsewhere
	}
	from, err := s.stores.get(ctx, c)
	if errors.Is(err, live.ErrNoStore) {
		return nil
	}
	if err != nil {
		return err
	}
	since := began.Add(-s.restored(ctx))
	var problems []error
	for _, tenant := range s.pruned(from, c.Tenant) {
		of := from.For(live.Caller{Tenant: tenant, Actor: "guardrails"})
		for _, event := range []string{safetyInput, safetyOutput} {
			problems = append(problems, s.restoreFrom(ctx, of, tenant, store.AuditFilter{
				Kind: store.KindDecision, Event: event, From: since, To: began,
			}))
		}
	}
	return errors.Join(problems...)
}

// restored returns how far back the checks are read: the longest cooldown of the project's and the server's policies,
// but at least leastRestored.
func (s *Service) restored(ctx context.Context) time.Duration {
	longest := leastRestored
	root, b, _, err := s.forCheck(ctx, "")
	if err != nil {
		return longest // mistakes in the settings are reported elsewhere
	}
	own, _ := policyPath(root, s.env(product.VariableHome), &b.settings.Safety, b.written.Trusted())
	for _, path := range []string{own, s.policyFile} {
		set, _ := s.policies.read(path, s.now())
		longest = max(longest, set.LongestCooldown())
	}
	s.cooldowns.Expect(longest)
	return longest
}

func (s *Service) restoreFrom(ctx context.Context, of *live.TenantStore, tenant string, filter store.AuditFilter) error {
	for e, err := range of.Entries(ctx, filter) {
		if err != nil {
			return err
		}
		s.restoreEntry(tenant, &e)
	}
	return nil
}

func (s *Service) restoreEntry(tenant string, e *store.Entry) {
	d := detailsOf(e)
	for _, fired := range d.Fired {
		s.cooldowns.Note(tenant, fired.Rule, fired.Event, d.User, e.Time)
	}
	isTrip := func(flag string) bool {
		return slices.Contains(safety.EmotionalDependenceGate.Categories(), safety.Category(flag))
	}
	if e.Event == safetyOutput && slices.ContainsFunc(d.Flags, isTrip) {
		s.trips.note(personOf(d.User, e.Session), tenant, e.Time)
	}
}

// detailsOf returns what the audit keeps about a check. What cannot be read is left out.
func detailsOf(e *store.Entry) (d screening.Details) {
	if e.Context == nil {
		return d
	}
	text, err := json.Marshal(e.Context.Metadata["details"])
	if err == nil {
		_ = json.Unmarshal(text, &d)
	}
	return d
}
