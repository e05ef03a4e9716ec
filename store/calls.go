package store

import "sync"

// RunningCalls counts the running calls of a driver, so that Close can wait for them. The zero value is ready to use.
type RunningCalls struct {
	lock    sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// Begin counts one more call. It fails if the driver is closed. Otherwise the caller must call End.
func (c *RunningCalls) Begin() error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.closed {
		return Closed()
	}
	c.running.Add(1)
	return nil
}

// End counts one call less.
func (c *RunningCalls) End() { c.running.Done() }

// Fork counts one more call, which a running call begins and which may outlast it. It must call End too.
func (c *RunningCalls) Fork() { c.running.Add(1) }

// Close makes Begin fail and waits for the running calls. It returns false if it was called before.
func (c *RunningCalls) Close() bool {
	c.lock.Lock()
	first := !c.closed
	c.closed = true
	c.lock.Unlock()
	c.running.Wait()
	return first
}
