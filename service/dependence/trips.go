// Package dependence remembers for each person when an answer encouraged the person to depend on the model.
package dependence

import (
	"slices"
	"sync"
	"time"

	"guardrails/detect/safety"
	"guardrails/policy"
)

// Trips remembers trips. A trip is an answer that encouraged a person to depend on the model. The trips of each person
// are in memory, sorted by time, under a hash of the person's name. The zero value is ready to use.
type Trips struct {
	lock sync.Mutex
	of   map[[2]string][]trip
	// If there are more than sweepAt people, the people without a recent trip are forgotten.
	sweepAt int
}

// A trip has the time at which it happened. If the trip was read from the audit, the field "id" has the id of the
// entry.
type trip struct {
	at time.Time
	id string
}

// Trips remembers at most mostTrips trips of each person, and at most mostPeople people.
const (
	mostTrips  = 1000
	mostPeople = 200000
)

// Note remembers a trip that was read from the audit. It ignores the trip if it is known already, or if the person is
// unknown. Note recognizes a known trip by its id, because two trips can have the same time: the times in the audit
// have a precision of one millisecond.
func (t *Trips) Note(user, tenant, id string, at time.Time) {
	if user == "" {
		return
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	key := [2]string{tenant, user}
	known := t.of[key]
	place, _ := slices.BinarySearchFunc(known, at, func(k trip, at time.Time) int { return k.at.Compare(at) })
	for i := place; i < len(known) && known[i].at.Equal(at); i++ {
		if known[i].id == id {
			return
		}
	}
	t.keep(key, slices.Insert(known, place, trip{at, id}), at)
}

// Count counts the trips of a person in the last hour. The parameter "tripped" must be set if the present answer is
// a trip. If the parameter "dry" is set, or the person is unknown, Count stores nothing.
func (t *Trips) Count(user, tenant string, tripped bool, now time.Time, dry bool) safety.Dependence {
	t.lock.Lock()
	defer t.lock.Unlock()
	key := [2]string{tenant, user}
	all := slices.Clone(t.of[key])
	if tripped {
		all = append(all, trip{at: now})
	}
	isStored := !dry && user != "" && len(all) > 0
	all = slices.DeleteFunc(all, func(k trip) bool { return !safety.Counts(k.at, now) })
	if isStored {
		t.keep(key, all, now)
	}
	return safety.Cooldown(len(all))
}

// keep() replaces the trips of a person. If there are too many people, it forgets the people without a recent trip.
func (t *Trips) keep(key [2]string, all []trip, now time.Time) {
	if t.of == nil {
		t.of, t.sweepAt = map[[2]string][]trip{}, policy.MinSweep
	}
	if len(all) == 0 {
		delete(t.of, key)
		return
	}
	t.of[key] = all[max(0, len(all)-mostTrips):]
	if len(t.of) > t.sweepAt {
		last := func(trips []trip) time.Time { return trips[len(trips)-1].at }
		t.sweepAt = policy.Sweep(t.of, last, now, safety.CooldownWindow, mostPeople)
	}
}
