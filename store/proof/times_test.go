package proof

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"guardrails/internal/fortests/slowness"
)

// What the product promises. A server answers every request within answerTime. A hook answers a tool call within
// callTime, and other events within eventTime. The client waits for a hook at most for clientTime. If there is no
// answer within this time, the client allows the tool call.
const (
	answerTime = 20 * time.Second
	callTime   = 2 * time.Second
	eventTime  = 4 * time.Second
	clientTime = 10 * time.Second
)

// These constants say how far a promise may be missed under load. The servers, the hooks and the store share the
// computer with the load, and with other tests.
//
//   - When the time limit of a server has passed, its answer still needs some time to arrive (spareTime).
//   - An overloaded computer may start a hook late, or stop it for a moment. In a run with ten times as many busy
//     processes as processors, no hook took longer than promised. The test accepts one slow hook, and one more for
//     every hooksPerSlow hooks.
//   - While servers are killed and paused, and while the network is cut, some hooks have too little time to decide.
//     These hooks ask a person. In the same run, 6 of 96 hooks had too little time. The test accepts up to half of the
//     hooks. If more hooks had too little time, something
//     other than these faults would keep hooks waiting.
const (
	spareTime    = 5 * time.Second
	hooksPerSlow = 20
	hooksPerLate = 2
)

// The type "times" has the durations of requests and hooks.
type times struct {
	answers []time.Duration
	// The list "calls" has the times of the hooks of tool calls. The list "events" has the times of the other hooks.
	calls, events []time.Duration
	// The field "late" is the number of hooks that had too little time to decide.
	late int
}

// waited() notes how long the caller of a server waited.
func (l *ledger) waited(took time.Duration) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.times.answers = append(l.times.answers, took)
}

// ranHook notes how long a hook took, and whether it had too little time.
func (l *ledger) ranHook(event any, took time.Duration, late bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	list := &l.times.events
	if event == toolEvent {
		list = &l.times.calls
	}
	*list = append(*list, took)
	if late {
		l.times.late++
	}
}

// wrong() returns which promises were not kept. On a slow computer, each limit is larger.
func (x *times) wrong(slow float64) (out []string) {
	scaled := func(d time.Duration) time.Duration { return time.Duration(float64(d) * slow) }
	if limit := answerTime + scaled(spareTime); longest(x.answers) > limit {
		out = append(out, fmt.Sprintf("a caller of a server waited %v, which is longer than %v", longest(x.answers), limit))
	}
	if took := max(longest(x.calls), longest(x.events)); took > scaled(clientTime) {
		out = append(out, fmt.Sprintf("a hook took %v, and the client waits only %v", took, scaled(clientTime)))
	}
	all := len(x.calls) + len(x.events)
	over := longer(x.calls, scaled(callTime)) + longer(x.events, scaled(eventTime))
	if over > 1+all/hooksPerSlow {
		out = append(out, fmt.Sprintf("%d of %d hooks took longer than promised", over, all))
	}
	if x.late > 1+all/hooksPerLate {
		out = append(out, fmt.Sprintf("%d of %d hooks had too little time to decide", x.late, all))
	}
	return out
}

func longest(all []time.Duration) time.Duration { return slices.Max(append(all, 0)) }

// longer() returns how many of the times are longer than a limit.
func longer(all []time.Duration, limit time.Duration) (count int) {
	for _, d := range all {
		if d > limit {
			count++
		}
	}
	return count
}

// check() fails the test if a promise was not kept.
func (x *times) check(t *testing.T) {
	t.Helper()
	slow := slowness.Now()
	for _, w := range x.wrong(slow) {
		t.Error(w)
	}
	t.Logf("the slowest of %d answers took %v; the slowest of %d hooks of tool calls took %v, and of %d other hooks %v; "+
		"%d hooks had too little time; the computer is %.1f times as slow as usual", len(x.answers), longest(x.answers),
		len(x.calls), longest(x.calls), len(x.events), longest(x.events), x.late, slow)
}

func TestTimesAreChecked(t *testing.T) {
	many := func(d time.Duration, count int) []time.Duration { return slices.Repeat([]time.Duration{d}, count) }
	const second = time.Second
	quick := many(second, 98)
	for name, c := range map[string]struct {
		times times
		slow  float64
		want  int
	}{
		"everything in time":              {times{answers: many(24*second, 5), calls: quick, events: quick, late: 50}, 1, 0},
		"a late answer":                   {times{answers: many(26*second, 1)}, 1, 1},
		"a late answer, a slow computer":  {times{answers: many(39*second, 1)}, 4, 0},
		"a hook for which nobody waits":   {times{calls: append(quick, 11*second)}, 1, 1},
		"five slow hooks":                 {times{calls: append(quick, many(3*second, 5)...)}, 1, 0},
		"seven slow hooks":                {times{calls: append(quick, many(3*second, 7)...)}, 1, 1},
		"seven hooks, a slow computer":    {times{calls: append(quick, many(3*second, 7)...)}, 2, 0},
		"prompts may take longer":         {times{events: many(3*second, 50)}, 1, 0},
		"slow prompts":                    {times{events: many(5*second, 50)}, 1, 1},
		"most hooks had too little time":  {times{calls: quick, late: 60}, 1, 1},
		"one slow hook, and only one ran": {times{calls: many(3*second, 1)}, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.times.wrong(c.slow); len(got) != c.want {
				t.Errorf("got %q, want %d problems", got, c.want)
			}
		})
	}
}
