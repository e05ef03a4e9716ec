package store

import "sync"

// RunningCalls counts the running calls of a driver, so that Close can wait for them. The zero value is ready to use.
type RunningCalls struct {
	lock    sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// Begin counts a new call. It fails if the driver is closed. Otherwise the caller must call End.
func (c *RunningCalls) Begin() error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.closed {
		return Closed()
	}
	c.running.Add(1)
	return nil
}

// End marks a call as finished.
func (c *RunningCalls) End() { c.running.Done() }

// Fork counts background work that a running call starts, because the work may continue after the call has ended. The
// background work must call End, too.
func (c *RunningCalls) Fork() { c.running.Add(1) }

// Close makes Begin fail and waits for the running calls. It returns true only for the first call.
func (c *RunningCalls) Close() bool {
	c.lock.Lock()
	first := !c.closed
	c.closed = true
	c.lock.Unlock()
	c.running.Wait()
	return first
}
