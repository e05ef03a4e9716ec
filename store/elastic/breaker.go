package elastic

import (
	"sync"
	"time"

	"guardrails/store"
)

const (
	// breakAfter is the number of consecutive failures after which the breaker refuses calls.
	breakAfter = 3
	// breakFor is how long the breaker refuses calls.
	breakFor = 3 * time.Second
)

// breaker refuses calls after several consecutive failures, so that callers do not wait for servers that do not answer.
type breaker struct {
	now      func() time.Time
	lock     sync.Mutex
	failures int
	until    time.Time
}

// allow returns an error if the breaker refuses the call. After breakFor, the breaker allows one call. While this call
// runs, the breaker refuses others, but for at most breakFor.
func (b *breaker) allow(address string) error {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.failures < breakAfter {
		return nil
	}
	if left := b.until.Sub(b.now()); left > 0 {
		return store.Errorf(store.Unavailable, "%s did not answer %d times in a row; the next attempt is in %.0f s",
			address, b.failures, left.Seconds()+0.5)
	}
	b.until = b.now().Add(breakFor)
	return nil
}

// record records the result of a call.
func (b *breaker) record(worked bool) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if worked {
		b.failures = 0
		return
	}
	if b.failures++; b.failures >= breakAfter {
		b.until = b.now().Add(breakFor)
	}
}
