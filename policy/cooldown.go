package policy

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// Cooldowns remember when events were last sent, for each tenant, rule, event and user.
type Cooldowns struct {
	lock sync.Mutex
	last map[sent]time.Time
	// The field "longest" is the longest known cooldown. If there are more than sweepAt events, the events that are
	// older than this cooldown are forgotten.
	longest time.Duration
	sweepAt int
}

type sent struct{ tenant, rule, event, user string }

// A map with at most MinSweep values is not swept (see Sweep). If more than mostKept events are newer than the longest
// cooldown, the older half of these events is forgotten. An event that is sent once too often is better than a process
// that runs out of memory.
const (
	MinSweep = 10000
	mostKept = 400000
)

// Expect is a method. It records that a rule has the given cooldown. After that, the method Note remembers each event
// for at least this time.
func (c *Cooldowns) Expect(cooldown time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.longest = max(c.longest, cooldown)
}

// Sender returns a function of the type Sender for the messages of one user. When this function allows an event, it
// counts the event as sent, unless the parameter "dry" is set. If the user is "", nobody knows who the user is. The
// events of such users have no cooldown, because an event about one unknown user must not suppress an event about
// another unknown user.
func (c *Cooldowns) Sender(tenant, user string, now time.Time, dry bool) Sender {
	return func(rule, event string, cooldown time.Duration) bool {
		return cooldown == 0 || user == "" || c.allow(sent{tenant, rule, event, user}, cooldown, now, dry)
	}
}

// Note remembers that an event was sent. When the server starts, it calls Note for the events in the audit log.
func (c *Cooldowns) Note(tenant, rule, event, user string, at time.Time) {
	if user == "" {
		return
	}
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
	// If the variable "since" is negative, the clock was set back. In that case, the end of the cooldown is unknown, so
	// the event is sent.
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
		c.last, c.sweepAt = map[sent]time.Time{}, MinSweep
	}
	c.last[key] = at
	if len(c.last) > c.sweepAt && c.longest > 0 {
		c.sweepAt = Sweep(c.last, func(last time.Time) time.Time { return last }, at, c.longest, mostKept)
	}
}

// Sweep deletes the values of a map that are older than the given age. If the number of remaining values is larger than
// the parameter "most", Sweep also deletes the older half of these values. last() returns the time of a value. The
// caller should sweep the map again when the map has more values than the number that Sweep returns.
func Sweep[K comparable, V any](all map[K]V, last func(V) time.Time, now time.Time, age time.Duration, most int) int {
	maps.DeleteFunc(all, func(_ K, v V) bool { return now.Sub(last(v)) > age })
	if len(all) > most {
		var times []time.Time
		for _, v := range all {
			times = append(times, last(v))
		}
		slices.SortFunc(times, time.Time.Compare)
		middle := times[len(times)/2]
		maps.DeleteFunc(all, func(_ K, v V) bool { return !last(v).After(middle) })
	}
	return min(max(2*len(all), MinSweep), most)
}
