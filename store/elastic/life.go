package elastic

import (
	"sync"

	"guardrails/store"
)

// life counts the calls that are running, so that closing can wait for them.
type life struct {
	lock    sync.Mutex
	over    bool
	running sync.WaitGroup
}

// enter begins a call; leave ends it.
func (l *life) enter() error {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.over {
		return store.Closed()
	}
	l.running.Add(1)
	return nil
}

func (l *life) leave() { l.running.Done() }

// end lets no further call begin and waits for those that run; it is false the second time.
func (l *life) end() bool {
	l.lock.Lock()
	first := !l.over
	l.over = true
	l.lock.Unlock()
	l.running.Wait()
	return first
}
