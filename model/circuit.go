package model

import (
	"sync"
	"time"
)

const (
	// mostFailures is how many questions in a row can fail before the circuit opens for openTime.
	mostFailures = 5
	openTime     = 30 * time.Second
)

// circuit stops asking a service that fails. After a while, it lets one question through. If this one fails too, the
// circuit stays open.
type circuit struct {
	now func() time.Time

	lock     sync.Mutex
	failures int
	until    time.Time
}

// allows reports whether a question may be sent.
func (c *circuit) allows() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.failures < mostFailures {
		return true
	}
	now := c.now()
	if now.Before(c.until) {
		return false
	}
	c.until = now.Add(openTime) // the others wait for the outcome of this question
	return true
}

func (c *circuit) ended(well bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if well {
		c.failures = 0
		return
	}
	if c.failures++; c.failures >= mostFailures {
		c.until = c.now().Add(openTime)
	}
}
