package proof

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/store"
)

// The audit of a session is a set that only grows: an entry that was read once never disappears, and no entry is in the
// set before it is added. A server always shows the decisions that it has acknowledged. Other servers may show these
// decisions later: a server that cannot reach the store first keeps decisions in its spool on the local disk. A history
// of calls is linearizable if the calls could have happened one after the other with the same results. A history is
// linearizable if the part of the history about each object is linearizable. The test therefore checks each set
// separately, and also each guideline with its audit.

// addition is an element that somebody tried to add to a set. The element was added at an unknown moment after the time
// "began", or not at all. The field "by" is the machine whose server got the request. The field "acknowledged" is the
// time when the server acknowledged the addition, or the constant "never".
type addition struct {
	element             string
	by                  *machine
	began, acknowledged time.Duration
}

const never = time.Duration(math.MaxInt64)

// The type "reading" has the elements that the server of a machine found in a set at an unknown moment between the
// times "began" and "ended".
type reading struct {
	elements     []string
	by           *machine
	began, ended time.Duration
}

// growingSet has the additions to a set and the readings of the set.
type growingSet struct {
	added []addition
	read  []reading
}

// check() looks for an order of all additions and readings. It returns what is wrong, or "".
//
// The set only grows, so the larger of two readings is the later one. The method gives each reading a moment, beginning
// with the smallest reading. This moment is as early as possible. But it is not earlier than the moment of a smaller
// reading, and not earlier than the moments when the elements of the reading were added.
func (s *growingSet) check() string {
	began := map[string]time.Duration{}
	for _, a := range s.added {
		began[a.element] = a.began
	}
	reads := slices.Clone(s.read)
	slices.SortStableFunc(reads, func(a, b reading) int { return len(a.elements) - len(b.elements) })
	var before, smaller time.Duration
	last := map[string]bool{}
	for i := range reads {
		r := &reads[i]
		if len(r.elements) > len(last) {
			smaller = before
		}
		have, moment := map[string]bool{}, max(r.began, smaller)
		for _, e := range r.elements {
			at, known := began[e]
			if !known || have[e] {
				return e + " was read twice, or without being added"
			}
			have[e], moment = true, max(moment, at)
		}
		for e := range last {
			if !have[e] {
				return e + " was read, and is missing in another reading that is not smaller"
			}
		}
		for _, a := range s.added {
			if !have[a.element] && a.by == r.by && a.acknowledged < r.began {
				return a.element + " was acknowledged, and is missing in a later reading by the same server"
			}
		}
		if moment > r.ended {
			return "a reading lacks something that an earlier one had, or has something that was added later"
		}
		last, before = have, max(before, moment)
	}
	return ""
}

// sets are the sets of the audit, by session.
type sets map[string]*growingSet

func (s sets) of(session string) *growingSet {
	if s[session] == nil {
		s[session] = new(growingSet)
	}
	return s[session]
}

// added() records an addition to the audit of a session. The parameter "acknowledged" is set if the server has just
// acknowledged the addition.
func (l *load) added(m *machine, session, element string, began time.Time, acknowledged bool) {
	a := addition{element, m, began.Sub(l.start), never}
	if acknowledged {
		a.acknowledged = time.Since(l.start)
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	set := l.sets.of(session)
	set.added = append(set.added, a)
}

// readSession asks the server of a machine for the audit of a session, and records the answer as a reading. name()
// returns the name of the element that an entry stands for, or "". While the store accepts no changes, readSession
// records nothing, because the audit may then lack the newest decisions.
func (l *load) readSession(ctx context.Context, m *machine, session string, name func(e *store.Entry) string) {
	full, r := l.full.Load(), reading{by: m, began: time.Since(l.start)}
	entries, a := m.audit(ctx, l.ledger, url.Values{"session": {session}, "page_size": {"1000"}})
	if a.err != nil || a.status != http.StatusOK || full || l.full.Load() {
		return
	}
	r.ended = time.Since(l.start)
	for i := range entries {
		if element := name(&entries[i]); element != "" {
			r.elements = append(r.elements, element)
		}
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	set := l.sets.of(session)
	set.read = append(set.read, r)
}

// check() reports the sets for which there is no order of all additions and readings, and how much was checked.
func (s sets) check(t *testing.T) {
	t.Helper()
	added, read := 0, 0
	for session, set := range s {
		added, read = added+len(set.added), read+len(set.read)
		if wrong := set.check(); wrong != "" {
			t.Errorf("the audit of the session %s: %s", session, wrong)
		}
	}
	t.Logf("%d additions to the audit of %d sessions are in order with %d readings", added, len(s), read)
}

func TestSetsAreChecked(t *testing.T) {
	one, two := new(machine), new(machine)
	add := func(element string, began, acknowledged time.Duration) addition {
		return addition{element, one, began, acknowledged}
	}
	read := func(began, ended time.Duration, elements ...string) reading {
		return reading{elements, one, began, ended}
	}
	by := func(m *machine, r reading) reading {
		r.by = m
		return r
	}
	for name, c := range map[string]struct {
		set  growingSet
		want string
	}{
		"read after both additions": {
			growingSet{[]addition{add("a", 0, 1), add("b", 2, 3)}, []reading{read(4, 5, "b", "a")}}, "",
		},
		"read during an addition": {
			growingSet{[]addition{add("a", 0, 9)}, []reading{read(1, 2), read(3, 4, "a")}}, "",
		},
		"two readings at the same time": {
			growingSet{[]addition{add("a", 0, 9)}, []reading{read(1, 5, "a"), read(2, 6)}}, "",
		},
		"added later than its call": {
			growingSet{[]addition{add("a", 0, never)}, []reading{read(1, 2), read(3, 4, "a")}}, "",
		},
		"acknowledged, and not yet shown by another server": {
			growingSet{[]addition{add("a", 0, 1)}, []reading{by(two, read(2, 3)), read(4, 5, "a")}}, "",
		},
		"shown by a server, and then missing on another one": {
			growingSet{[]addition{add("a", 0, 1)}, []reading{read(2, 3, "a"), by(two, read(4, 5))}}, "that an earlier one had",
		},
		"never added": {growingSet{[]addition{add("a", 0, never)}, []reading{read(1, 2)}}, ""},
		"acknowledged, and missing": {
			growingSet{[]addition{add("a", 0, 1)}, []reading{read(2, 3)}}, "a was acknowledged",
		},
		"read, and missing later": {
			growingSet{[]addition{add("a", 0, never)}, []reading{read(1, 2, "a"), read(3, 4)}}, "that an earlier one had",
		},
		"there before it is added": {
			growingSet{[]addition{add("a", 2, 3)}, []reading{read(0, 1, "a")}}, "was added later",
		},
		"read, and never added": {growingSet{nil, []reading{read(0, 1, "a")}}, "without being added"},
		"there twice":           {growingSet{[]addition{add("a", 0, 1)}, []reading{read(2, 3, "a", "a")}}, "twice"},
		"the later one, without the one before": {
			growingSet{[]addition{add("a", 0, 1), add("b", 2, 3)}, []reading{read(4, 5, "b")}}, "a was acknowledged",
		},
		"each of two readings has what the other one lacks": {
			growingSet{[]addition{add("a", 0, 9), add("b", 0, 9)}, []reading{read(1, 5, "a"), read(1, 5, "b")}}, "is missing in another",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.set.check(); c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
