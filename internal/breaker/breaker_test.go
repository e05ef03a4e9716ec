package breaker

import (
	"testing"
	"time"
)

func TestOneCallIsAllowedAfterThePause(t *testing.T) {
	const pause = 3 * time.Second
	at := time.Unix(1000, 0)
	b := New(3, pause, func() time.Time { return at })
	for i, step := range []struct {
		pass   time.Duration
		left   time.Duration // 0 if the call is allowed
		worked bool
	}{
		{0, 0, false},
		{0, 0, false},
		{0, 0, true}, // a success resets the failures
		{0, 0, false},
		{0, 0, false},
		{0, 0, false},
		{0, pause, false},
		{pause - 1, 1, false},
		{1, 0, false}, // one call is allowed
		{0, pause, false},
		{pause, 0, true},
		{0, 0, true},
	} {
		at = at.Add(step.pass)
		refusal := b.Refuse()
		if (refusal != nil) != (step.left > 0) || refusal != nil && refusal.Left != step.left {
			t.Fatalf("step %d: got %+v, want %v left", i, refusal, step.left)
		}
		if refusal == nil {
			b.Record(step.worked)
		}
	}
}
