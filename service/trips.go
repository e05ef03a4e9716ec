package service

import (
	"maps"
	"slices"
	"sync"
	"time"

	"guardrails/detect/safety"
)

// trips remembers the trips of people. A trip is an answer that encouraged a person to depend on the model. The times
// of the trips are kept in memory, under a hash of the person's name.
type trips struct {
	lock  sync.Mutex
	times map[[2]string][]time.Time
}

// note remembers a trip of a person.
func (t *trips) note(user, tenant string, at time.Time) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.times == nil {
		t.times = map[[2]string][]time.Time{}
	}
	key := [2]string{tenant, user}
	t.times[key] = append(t.times[key], at)
	slices.SortFunc(t.times[key], time.Time.Compare)
}

// mostPeople is the number of people above which those without a recent trip are forgotten.
const mostPeople = 10000

// count counts the trips of a person in the last hour. tripped is set if the present answer is a trip. If dry is set,
// nothing is stored.
func (t *trips) count(user, tenant string, tripped bool, now time.Time, dry bool) safety.Dependence {
	t.lock.Lock()
	defer t.lock.Unlock()
	key := [2]string{tenant, user}
	times := t.times[key]
	if tripped {
		times = append(times[:len(times):len(times)], now)
	}
	d, kept := safety.Cooldown(times, now)
	if dry || len(times) == 0 {
		return d
	}
	if t.times == nil {
		t.times = map[[2]string][]time.Time{}
	}
	t.times[key] = kept
	if len(t.times) > mostPeople {
		maps.DeleteFunc(t.times, func(_ [2]string, times []time.Time) bool {
			return len(times) == 0 || now.Sub(times[len(times)-1]) > safety.CooldownWindow
		})
	}
	return d
}
