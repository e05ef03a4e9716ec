package storefault

import (
	"context"
	"fmt"
	"sync"
	"time"

	"guardrails/internal/kernelclock"
	"guardrails/store"
	"guardrails/store/live"
)

// maxSkew is the largest allowed difference between the clock of this computer and another clock.
const maxSkew = 2 * time.Minute

// ClockError reports that the clock of this computer is probably wrong.
type ClockError struct {
	// Ahead is how far the clock is ahead. It is negative if the clock is behind.
	Ahead time.Duration
	// The field "what" says what is wrong, and remedy says what a person can do.
	what, remedy string
}

func (e *ClockError) Error() string { return "the clock of this computer " + e.what + "; " + e.remedy }

// differs() returns a ClockError that says how far this computer's clock differs from something else.
func differs(ahead time.Duration, of, remedy string) error {
	how := "ahead of"
	if ahead < 0 {
		how = "behind"
	}
	return &ClockError{ahead, fmt.Sprintf("is %s %s %s", ahead.Abs().Round(time.Second), how, of), remedy}
}

// ClockWatcher watches the clock of this computer for as long as the process lives. It is safe for concurrent use.
type ClockWatcher struct {
	now    func() time.Time
	kernel func() (kernelclock.Reading, bool)

	mu sync.Mutex
	// The field "last" is when the clock was last read, and lastSinceBoot is the kernel's time since the start of the
	// computer at that moment.
	last          time.Time
	lastSinceBoot time.Duration
	// The field "jumped" is how far somebody has set the clock ahead while the process ran. It is negative if the clock
	// was set back, and 0 if the difference is small. The field "latest" is the latest time that the clock has shown while
	// it was ahead.
	jumped time.Duration
	latest time.Time
}

// NewClockWatcher returns a ClockWatcher. The function kernel() asks the kernel about the clock. If it is nil, the
// ClockWatcher works as if the kernel did not answer.
func NewClockWatcher(now func() time.Time, kernel func() (kernelclock.Reading, bool)) *ClockWatcher {
	c := &ClockWatcher{now: now, kernel: kernel}
	if kernel == nil {
		c.kernel = func() (kernelclock.Reading, bool) { return kernelclock.Reading{}, false }
		return c
	}
	c.read()
	return c
}

// Check returns a ClockError if the clock of this computer differs from the clock of the store's computers. If the
// store does not tell the time, Check returns a ClockError in two cases: somebody has set the clock ahead while the
// process ran, or the clock is behind the newest entry of the tenant's audit. Check ignores these two cases if a time
// service keeps the clock right. If the store does not answer, Check can only find out that somebody has set the clock
// ahead.
func (c *ClockWatcher) Check(ctx context.Context, from *live.Store, tenant string) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	at, known, _ := from.Time(ctx)
	now, jumped, latest, right := c.read()
	if known {
		if ahead := now.Sub(at); ahead.Abs() > maxSkew {
			return differs(ahead, "the clock of "+from.Location(), "correct the clock that is wrong")
		}
		return nil
	}
	if right {
		return nil
	}
	if jumped > maxSkew {
		return &ClockError{
			jumped, fmt.Sprintf("was set ahead by %s while this process ran", jumped.Round(time.Second)),
			"if the clock is still wrong, correct it; if it is correct, restart the server",
		}
	}
	newest, err := from.For(live.Caller{Tenant: tenant}).Audit(ctx, store.AuditQuery{Paging: store.Paging{Page: 1, Size: 1}})
	if err != nil || len(newest.Items) == 0 {
		return nil
	}
	entry := newest.Items[0].Time
	if ahead := now.Sub(entry); ahead < -maxSkew && entry.After(latest) {
		return differs(ahead, "the newest entry of the audit", "if it is wrong, correct it; if it is right, the clock was "+
			"wrong when the entry was made, and this message ends at "+entry.UTC().Format(time.RFC3339))
	}
	return nil
}

// read() reads the clock, and asks the kernel whether somebody has set it since the last call. The kernel's time since
// the start of the computer goes on while the computer is suspended, so a suspension is not mistaken for a jump of the
// clock. The result "right" is set if a time service keeps the clock right.
func (c *ClockWatcher) read() (now time.Time, jumped time.Duration, latest time.Time, right bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kernel, known := c.kernel()
	now = c.now().Round(0) // without the reading of Go's monotonic clock, which can stop while the computer is suspended
	if !known {
		return now, 0, time.Time{}, false
	}
	if !c.last.IsZero() {
		step := now.Sub(c.last) - (kernel.SinceBoot - c.lastSinceBoot)
		if shown := now.Add(-step); c.jumped > 0 && shown.After(c.latest) {
			c.latest = shown // what the clock would show if nobody had set it since the last call
		}
		// A small step is a correction of the clock. But after a jump, small steps can undo the jump, so they count.
		if c.jumped != 0 || step.Abs() > maxSkew {
			c.jumped += step
		}
	}
	c.last, c.lastSinceBoot = now, kernel.SinceBoot
	if kernel.Synchronized || c.jumped.Abs() <= maxSkew {
		c.jumped = 0
	}
	if c.jumped > 0 && now.After(c.latest) {
		c.latest = now
	}
	return now, c.jumped, c.latest, kernel.Synchronized
}
