package live

import (
	"strconv"
	"strings"
	"time"

	"guardrails/store"
)

// The type "topic" keeps the newest events of a tenant. Listeners can read the events at their own speed, and continue
// after a broken connection.
type topic struct {
	// The list "recent" has the newest events, oldest first. The field "last" is the number of the newest event. The field
	// "begin" is a number that is lower than the number of every event of the topic. The field "size" is the total size in
	// bytes of the events in the list.
	recent      []recentEvent
	begin, last int64
	size        int
	// The channel "changed" is closed when the next event is added.
	changed chan struct{}
	// The field "listeners" is the number of open listeners. The field "idle" is the time when the last listener was
	// closed.
	listeners int
	idle      time.Time
}

type recentEvent struct {
	Event
	size int
}

// The limits of the memory for listeners: the number of events of a tenant, the size of these events in bytes, and the
// number of tenants that have no listener but whose events are kept.
const (
	maxRecent     = 256
	maxRecentSize = 1 << 20
	maxIdleTopics = 64
)

// eventSize is the approximate size in bytes of an event without its audit entry.
const eventSize = 512

// add() adds an event. If there are too many events, it removes the oldest ones.
func (t *topic) add(run string, e Event) {
	t.last++
	e.ID = eventID(run, t.last)
	one := recentEvent{e, eventSize}
	if e.Entry != nil {
		text, _ := store.EncodeEntry(e.Entry) // an entry in the audit can be encoded
		one.size += len(text)
	}
	t.recent = append(t.recent, one)
	for t.size += one.size; len(t.recent) > maxRecent || t.size > maxRecentSize &&
		len(t.recent) > 1; t.recent = t.recent[1:] {
		t.size -= t.recent[0].size
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

func eventID(run string, number int64) string { return run + "-" + strconv.FormatInt(number, 10) }

// Listener reads the events of one tenant. It is not safe for concurrent use.
type Listener struct {
	store *Store
	topic *topic
	// The field "seen" is the number of the last event that Next returned. The flag "lost" is set if the listener may have
	// missed events before this event, and their number is unknown.
	seen int64
	lost bool
}

// Listen returns a listener for the events of a tenant. If the parameter "after" is the id of an event, the listener
// continues after that event. Otherwise, the listener begins with the next event. The caller must close the listener.
func (s *Store) Listen(tenant, after string) *Listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[tenant]
	if t == nil {
		s.dropTopic()
		// One number between the last event of the removed topic and the first event of this topic stays
		// unused. Because of this gap, a listener of the removed topic notices that it may have missed
		// events.
		s.numbered++
		t = &topic{begin: s.numbered, last: s.numbered, changed: make(chan struct{})}
		s.topics[tenant] = t
	}
	t.listeners++
	l := &Listener{store: s, topic: t, seen: t.last}
	if number, found := strings.CutPrefix(after, s.run+"-"); found {
		seen, err := strconv.ParseInt(number, 10, 64)
		if l.lost = err != nil || seen < t.begin || seen > t.last; !l.lost {
			l.seen = seen
		}
	} else {
		l.lost = after != ""
	}
	return l
}

// dropTopic makes room for a new topic. If there are many topics without a listener, it removes the topic that has been
// without a listener for the longest time. s.mu must be held.
func (s *Store) dropTopic() {
	oldest, idle := "", 0
	for tenant, t := range s.topics {
		if t.listeners > 0 {
			continue
		}
		if idle++; idle == 1 || t.idle.Before(s.topics[oldest].idle) {
			oldest = tenant
		}
	}
	if idle >= maxIdleTopics {
		s.numbered = max(s.numbered, s.topics[oldest].last)
		delete(s.topics, oldest)
	}
}

// Position returns the id of the last event that the listener has seen.
func (l *Listener) Position() string {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	return eventID(l.store.run, l.seen)
}

// Unknown is the number that Listener.Next returns if the number of missed events cannot be determined.
const Unknown = -1

// Next returns the events since the last call. The result "missed" is the number of earlier events that the listener
// missed, because it was too slow or disconnected for too long. The channel "changed" is closed when there are further
// events.
func (l *Listener) Next() (events []Event, missed int64, changed <-chan struct{}) {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	t := l.topic
	first := t.last - int64(len(t.recent)) + 1
	if missed = max(0, first-l.seen-1); l.lost {
		missed, l.lost = Unknown, false
	}
	for i := max(0, l.seen+1-first); i < int64(len(t.recent)); i++ {
		events = append(events, t.recent[i].Event)
	}
	l.seen = t.last
	return events, missed, t.changed
}

// Close ends the listener.
func (l *Listener) Close() {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	l.topic.listeners--
	l.topic.idle = time.Now()
}
