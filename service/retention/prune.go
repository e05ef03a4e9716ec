// Package retention removes old decisions from the audit.
//
// Start with Prune.
package retention

import (
	"context"
	"errors"
	"time"

	"guardrails/config"
	"guardrails/store"
	"guardrails/store/live"
)

// Prune removes the old decisions of one tenant. The settings limit the age and the number of the decisions. While the
// clock may be wrong, Prune ignores the limit for the age.
func Prune(ctx context.Context, of *live.TenantStore, limits config.Audit, now time.Time) error {
	keep := store.Retention{Keep: limits.KeepEntries}
	if limits.KeepDays > 0 {
		keep.Before = now.AddDate(0, 0, -limits.KeepDays)
	}
	wrong := checkAge(ctx, of, &keep, now)
	if keep == (store.Retention{}) {
		return wrong
	}
	_, err := of.Prune(ctx, keep)
	return errors.Join(wrong, err)
}

// checkAge removes the age limit from the limits in the variable "keep" if no entry is older than the limit, or if
// the clock may be wrong.
func checkAge(ctx context.Context, of *live.TenantStore, keep *store.Retention, now time.Time) error {
	if keep.Before.IsZero() {
		return nil
	}
	old, err := countEntries(ctx, of, time.Time{}, keep.Before)
	if err == nil && old > 0 {
		err = checkClock(ctx, of, now, keep.Before)
	}
	if err != nil || old == 0 {
		keep.Before = time.Time{}
	}
	return err
}
