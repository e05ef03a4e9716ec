// Package breaker stops calls to a service that fails again and again, so that callers waste no time on it.
package breaker

import (
	"sync"
	"time"
)

// Breaker refuses calls after several failures in a row. After a pause it allows one call. If this call fails, the
// pause begins again. If this call is still running after another pause, one more call is allowed.
type Breaker struct {
	limit int
	pause time.Duration
	now   func() time.Time

	lock     sync.Mutex
	failures int
	until    time.Time
}

// New returns a breaker. The parameter "limit" is the number of failures in a row after which the breaker refuses
// calls. The parameter "pause" says for how long it refuses them.
func New(limit int, pause time.Duration, now func() time.Time) *Breaker {
	return &Breaker{limit: limit, pause: pause, now: now}
}

// Refusal says why a call is refused.
type Refusal struct {
	// Failures is the number of calls that failed in a row.
	Failures int
	// The field "Left" is the time until the next call is allowed.
	Left time.Duration
}

// Refuse returns nil if a call is allowed. After an allowed call has ended, the caller must call Record.
func (b *Breaker) Refuse() *Refusal {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.failures < b.limit {
		return nil
	}
	if left := b.until.Sub(b.now()); left > 0 {
		return &Refusal{b.failures, left}
	}
	// Other calls are refused until this call has a result or the pause is over.
	b.until = b.now().Add(b.pause)
	return nil
}

// Record tells the breaker the result of a call.
func (b *Breaker) Record(worked bool) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if worked {
		b.failures = 0
		return
	}
	if b.failures++; b.failures >= b.limit {
		b.until = b.now().Add(b.pause)
	}
}
