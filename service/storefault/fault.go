// Package storefault finds faults of a store: the store lacks changes that this computer has seen, or the clock is
// wrong.
//
// The function Of returns the name of a fault. GuardWrites keeps processes from changing a store that lacks something.
package storefault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"guardrails/store"
	"guardrails/store/live"
)

// The names of faults of a store. The name of any other fault is the code of its error.
const (
	Older = "older"
	Lost  = "lost"
	Clock = "clock"
	Full  = "full"
)

// Of returns the name of the fault that an error reports. It is "" if err is nil.
func Of(err error) string {
	_, clock := errors.AsType[*ClockError](err)
	switch {
	case IsLoss(err), errors.Is(err, store.ErrOlder):
		return Older
	case errors.Is(err, store.ErrMissing), errors.Is(err, store.ErrLost):
		return Lost
	case errors.Is(err, store.ErrFull):
		return Full
	case clock:
		return Clock
	}
	return string(store.CodeOf(err))
}

// maxSkew is the largest allowed difference between the clock of this computer and another clock.
const maxSkew = 2 * time.Minute

// ClockError reports that the clock of this computer is probably wrong.
type ClockError struct {
	// Ahead is how far the clock is ahead. It is negative if the clock is behind.
	Ahead time.Duration
	// The field Of names what the clock was compared with.
	Of string
}

func (e *ClockError) Error() string {
	how := "ahead of"
	if e.Ahead < 0 {
		how = "behind"
	}
	return fmt.Sprintf("the clock of this computer is %s %s %s; correct the clock that is wrong",
		e.Ahead.Abs().Round(time.Second), how, e.Of)
}

// CheckClock returns a ClockError if the clock of this computer differs from the clock of the store's computers. If the
// store does not tell the time, CheckClock looks at the newest entry of the tenant's audit, and returns a ClockError if
// the clock is behind the time of this entry. If the store does not answer, it returns nil.
func CheckClock(ctx context.Context, from *live.Store, tenant string, now time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if at, known, _ := from.Time(ctx); known {
		if ahead := now.Sub(at); ahead.Abs() > maxSkew {
			return &ClockError{ahead, "the clock of " + from.Location()}
		}
		return nil
	}
	newest, err := from.For(live.Caller{Tenant: tenant}).Audit(ctx, store.AuditQuery{Paging: store.Paging{Page: 1, Size: 1}})
	if err != nil || len(newest.Items) == 0 {
		return nil
	}
	if ahead := now.Sub(newest.Items[0].Time); ahead < -maxSkew {
		return &ClockError{ahead, "the newest entry of the audit"}
	}
	return nil
}
