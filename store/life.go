package store

import "sync"

// Life counts the calls of a driver that are running, so that closing can wait for them.
type Life struct {
	lock    sync.Mutex
	over    bool
	running sync.WaitGroup
}

// Enter begins a call, unless the driver is closed; Leave ends it.
func (l *Life) Enter() error {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.over {
		return Closed()
	}
	l.running.Add(1)
	return nil
}

// Leave ends a call.
func (l *Life) Leave() { l.running.Done() }

// Split lets a call that is running go on as one more, which ends by itself.
func (l *Life) Split() { l.running.Add(1) }

// End lets no further call begin and waits for those that run; it is false the second time.
func (l *Life) End() bool {
	l.lock.Lock()
	first := !l.over
	l.over = true
	l.lock.Unlock()
	l.running.Wait()
	return first
}
