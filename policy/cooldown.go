package policy

import (
	"maps"
	"sync"
	"time"
)

// Cooldowns remember when events were last sent, for each tenant, rule, event and user.
type Cooldowns struct {
	lock sync.Mutex
	last map[sent]time.Time
	// longest is the longest known cooldown. When there are more than sweepAt events, events whose age is at least
	// longest are forgotten.
	longest time.Duration
	sweepAt int
}

type sent struct{ tenant, rule, event, user string }

// swept is the smallest value of sweepAt.
const swept = 10000

// Expect says that a rule has the given cooldown. Note then keeps each event for at least this time.
func (c *Cooldowns) Expect(cooldown time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.longest = max(c.longest, cooldown)
}

// Sender returns a Sender for the messages of one user. When it allows an event, it counts the event as sent. If dry is
// set, it counts nothing.
func (c *Cooldowns) Sender(tenant, user string, now time.Time, dry bool) Sender {
	return func(rule, event string, cooldown time.Duration) bool {
		return cooldown == 0 || c.allow(sent{tenant, rule, event, user}, cooldown, now, dry)
	}
}

// Note remembers that an event was sent. The server calls it at its start, with the events in the audit log.
func (c *Cooldowns) Note(tenant, rule, event, user string, at time.Time) {
	c.lock.Lock()
	defer c.lock.Unlock()
	key := sent{tenant, rule, event, user}
	if at.After(c.last[key]) {
		c.keep(key, at)
	}
}

func (c *Cooldowns) allow(key sent, cooldown time.Duration, now time.Time, dry bool) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	// A negative time means that the clock was set back. It is then unknown when the cooldown ends, so the event is sent.
	last, sent := c.last[key]
	c.longest = max(c.longest, cooldown)
	if since := now.Sub(last); sent && since >= 0 && since < cooldown {
		return false
	}
	if !dry {
		c.keep(key, now)
	}
	return true
}

func (c *Cooldowns) keep(key sent, at time.Time) {
	if c.last == nil {
		c.last, c.sweepAt = map[sent]time.Time{}, swept
	}
	c.last[key] = at
	if len(c.last) > c.sweepAt && c.longest > 0 {
		maps.DeleteFunc(c.last, func(_ sent, last time.Time) bool { return at.Sub(last) >= c.longest })
		c.sweepAt = max(swept, 2*len(c.last))
	}
}
