package service

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"guardrails/detect/safety"
	"guardrails/service/screening"
	"guardrails/store"
	"guardrails/store/live"
)

// A server that starts reads the checks of the last days, so that no cooldown ends early.
const (
	restoreTime  = 7 * 24 * time.Hour
	restorePages = 10
)

// restore reads the cooldowns of policies and the trips of users from the audit, as they were when the server
// began.
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
	var problems []error
	for _, tenant := range s.pruned(from, c.Tenant) {
		of := from.For(live.Caller{Tenant: tenant, Actor: "guardrails"})
		for _, event := range []string{safetyInput, safetyOutput} {
			problems = append(problems, s.restoreFrom(ctx, of, tenant, store.AuditFilter{
				Kind: store.KindDecision, Event: event, From: began.Add(-restoreTime), To: began,
			}))
		}
	}
	return errors.Join(problems...)
}

func (s *Service) restoreFrom(ctx context.Context, of *live.TenantStore, tenant string, filter store.AuditFilter) error {
	for page := 1; page <= restorePages; page++ {
		found, err := of.Audit(ctx, store.AuditQuery{AuditFilter: filter, Paging: store.Paging{Page: page, Size: store.MaxPageSize}})
		if err != nil {
			return err
		}
		for i := range found.Items {
			s.restoreEntry(tenant, &found.Items[i])
		}
		if len(found.Items) < store.MaxPageSize {
			return nil
		}
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
