package sqlite

import (
	"fmt"
	"time"

	"guardrails/store"
)

// search is a filter of the audit with the way it is carried out.
type search struct {
	*view
	// values are what the fields must have; 0 is anything.
	values   [fields]int64
	from, to int64
	// index is the field whose index is walked, tallyField the one whose tallies count what is found.
	index, tallyField int64
	// tallied tells whether tallies alone give the total.
	countable bool
	// nothing tells that a value was never seen, so that nothing can be found.
	nothing bool
}

func (v *view) search(f *store.AuditFilter) (*search, error) {
	s := &search{view: v, from: bound(f.From, 0), to: bound(f.To, endOfTime)}
	for field, name := range [fields]string{fieldGuideline: f.Guideline, fieldSession: f.Session, fieldActor: f.Actor, fieldEvent: f.Event} {
		id, known, err := v.store.number(v.ctx, v, name)
		if err != nil {
			return nil, err
		}
		s.values[field], s.nothing = id, s.nothing || !known
	}
	return s, s.plan()
}

// bound is a time in milliseconds, rounded up, because entries are rounded down.
func bound(t time.Time, unset int64) int64 {
	if t.IsZero() {
		return unset
	}
	return max(0, min(endOfTime, t.Add(time.Millisecond-1).UnixMilli()))
}

// plan chooses the index with the fewest entries. A field that all entries of the tenant have needs no looking at.
func (s *search) plan() error {
	all, err := s.count(fieldAll, 0)
	if err != nil {
		return err
	}
	fewest, open := all, 0
	for field := int64(fieldGuideline); field < fieldEvent; field++ {
		if s.values[field] == 0 {
			continue
		}
		n, err := s.count(field, 0)
		switch {
		case err != nil:
			return err
		case n == all:
			s.values[field] = 0
			continue
		case n < fewest:
			fewest, s.index, s.tallyField = n, field, field
		}
		open++
	}
	s.countable = open <= 1
	return s.planEvent(fewest)
}

// planEvent walks the index of events where an event is rarer than anything else that is asked for.
func (s *search) planEvent(fewest int) error {
	event := s.values[fieldEvent]
	if event == 0 {
		return nil
	}
	n, err := s.count(fieldAll, event)
	if n < fewest || s.index == fieldAll {
		s.index = fieldEvent
	}
	return err
}

// count is how many entries of an event, or of any, have the searched value in a field.
func (s *search) count(field, event int64) (n int, err error) {
	probe := *s
	probe.tallyField, probe.values[fieldEvent] = field, event
	if field == fieldAll {
		probe.values[fieldAll] = 0
	}
	days, err := probe.tallied(0, endOfTime, spanDay)
	return total(days), err
}

// found are the conditions of what is searched for between two times, with the index to walk.
func (s *search) found(from, to int64) (source string, c *conditions) {
	index := [fields]string{"entry_time", "entry_guideline", "entry_session", "entry_actor", "entry_event"}[s.index]
	c = new(conditions)
	c.add("tenant = ? AND time >= ? AND time < ?", s.tenant, from, to)
	for field, column := range [fields]string{fieldGuideline: "guideline", fieldSession: "session", fieldActor: "actor", fieldEvent: "event"} {
		if value := s.values[field]; value != 0 {
			c.add(fmt.Sprintf("%s = ? AND %s > 0", column, column), value)
		}
	}
	return "entry INDEXED BY " + index, c
}

// scanCount counts by walking the index.
func (s *search) scanCount(from, to int64) (n int, err error) {
	source, c := s.found(from, to)
	err = s.QueryRowContext(s.ctx, "SELECT count(*) FROM "+source+" WHERE "+c.text(), c.args...).Scan(&n)
	return n, err
}
