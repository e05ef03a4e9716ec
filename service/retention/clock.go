package retention

import (
	"context"
	"fmt"
	"time"

	"guardrails/store"
	"guardrails/store/live"
)

// The limits of a pause. A pause is a period without entries that is so long that checkClock does not trust the clock.
const (
	longestPause  = 14 * 24 * time.Hour
	shortestPause = 4 * 24 * time.Hour
)

// checkClock returns an error if the clock may be ahead. If the clock is ahead, recent entries look old, and the server
// would delete them for good as soon as it starts. checkClock looks for a pause in the audit. If the clock is ahead,
// there are no entries from the time that the clock skipped.
func checkClock(ctx context.Context, of *live.TenantStore, now, before time.Time) error {
	pause := max(shortestPause, min(longestPause, now.Sub(before)/4))
	// Go back in steps of one pause. Skip the last step if it would be shorter than half a pause, unless it is the only
	// step.
	for end := now; end.Equal(now) || end.Sub(before) > pause/2; end = end.Add(-pause) {
		start := end.Add(-pause)
		found, err := countEntries(ctx, of, start, end)
		if err != nil {
			return err
		}
		if found == 0 {
			return fmt.Errorf("no decisions are deleted: the audit has no entries from %s to %s, so the clock may be wrong; "+
				"if the clock is right, run: guardrails audit prune", day(start), day(end))
		}
	}
	return nil
}

func countEntries(ctx context.Context, of *live.TenantStore, from, to time.Time) (int, error) {
	page, err := of.Audit(ctx, store.AuditQuery{
		AuditFilter: store.AuditFilter{From: from, To: to}, Paging: store.Paging{Page: 1, Size: 1},
	})
	return page.Total, err
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
