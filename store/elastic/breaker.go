package elastic

import (
	"sync"
	"time"

	"guardrails/store"
)

const (
	// breakAfter is how many calls in a row have to fail until no more are tried.
	breakAfter = 3
	// breakFor is how long none are tried then.
	breakFor = 3 * time.Second
)

// breaker fails calls at once when those before them failed, so that nobody waits long for servers that are gone.
type breaker struct {
	now      func() time.Time
	lock     sync.Mutex
	failures int
	until    time.Time
}

// allow lets a call go ahead. After the pause one call tries; the others wait for what comes of it.
func (b *breaker) allow(place string) error {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.failures < breakAfter {
		return nil
	}
	if left := b.until.Sub(b.now()); left > 0 {
		return store.Errorf(store.Unavailable, "%s did not answer %d times in a row; it is tried again in %.0f s", place, b.failures, left.Seconds()+0.5)
	}
	b.until = b.now().Add(breakFor)
	return nil
}

// note takes what came of a call.
func (b *breaker) note(worked bool) {
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
