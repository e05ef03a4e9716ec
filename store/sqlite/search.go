package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"guardrails/store"
)

// The type "search" is a filter of the audit, and the plan for finding the entries that match it.
type search struct {
	*view
	// The field "values" has, for each field of an entry, the number of the text that the entry must have. The number 0
	// allows any text.
	values   [fields]int64
	from, to int64
	// The field "more" has the conditions on columns that are in none of the indices for fields.
	more conditions
	// The number "index" stands for a field of the entries. The search scans the database index of this field. The number
	// tallyField also stands for a field. The search adds up the tallies of this field to get the total.
	index, tallyField int64
	// byMinute is true if the filter has a field without an index of its own. In this case, the search scans only the
	// minutes in which entries have the value of tallyField. The tallies say which minutes these are.
	byMinute bool
	// The flag "common" is true if many entries have the value of tallyField. In this case, counting is faster if the
	// search scans all minutes and does not look up in which minutes these entries are.
	common bool
	// The flag "countable" is true if the tallies of one field are enough to count the entries of whole days and minutes.
	// Otherwise, all entries are counted with the index.
	countable bool
	// The flag "empty" is true if no entry can match, because the file lacks one of the texts that entries must have.
	empty bool
}

func (v *view) search(f *store.AuditFilter) (*search, error) {
	s := &search{view: v, from: bound(f.From, 0), to: bound(f.To, endOfTime)}
	names := [fields]string{
		fieldGuideline: f.Guideline, fieldSession: f.Session, fieldActor: f.Actor, fieldEvent: f.Event,
		fieldResult: f.Result, fieldProject: f.Project, fieldAgent: f.Agent, fieldMode: f.Mode,
	}
	for field, name := range names {
		id, known, err := number(v.ctx, v, name)
		if err != nil {
			return nil, err
		}
		s.values[field], s.empty = id, s.empty || !known
	}
	s.addKind(f.Kind)
	if err := s.narrow(f.ID); err != nil {
		return nil, err
	}
	return s, s.plan()
}

// addKind adds the condition on the kind. The table has no column for the kind.
func (s *search) addKind(kind store.Kind) {
	const changes = "(SELECT row FROM entry WHERE chain IN (SELECT id FROM chain WHERE tenant = ? AND kind = 'change'))"
	switch kind { // there are few changes, so this is faster than reading the chain of every entry
	case store.KindChange:
		s.more.add("row IN "+changes, s.tenant)
	case store.KindDecision:
		s.more.add("row NOT IN "+changes, s.tenant)
	}
}

// narrow() limits the search to the entry with the given id. The indices for fields do not contain ids, so the method
// also limits the search to the time of the entry.
func (s *search) narrow(id string) error {
	if id == "" {
		return nil
	}
	var row, at int64
	const find = "SELECT row, time FROM entry WHERE tenant = ? AND id = ?"
	err := s.QueryRowContext(s.ctx, find, s.tenant, id).Scan(&row, &at)
	if errors.Is(err, sql.ErrNoRows) {
		s.empty = true
		return nil
	}
	s.from, s.to = max(s.from, at), min(s.to, at+1)
	s.more.add("row = ?", row)
	return err
}

// bound() returns a time in milliseconds. For the zero time, it returns the value of the parameter "unset". bound()
// rounds up, because the times of entries are rounded down.
func bound(t time.Time, unset int64) int64 {
	if t.IsZero() {
		return unset
	}
	return max(0, min(endOfTime, t.Add(time.Millisecond-1).UnixMilli()))
}

// plan() chooses the index with the fewest entries. It also removes conditions that every entry of the tenant meets.
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
		s.byMinute = s.byMinute || field >= fieldResult
		open++
	}
	s.countable = open <= 1 && len(s.more.terms) == 0
	if s.byMinute {
		s.common = fewest > all/32
		return nil
	}
	return s.planEvent(fewest)
}

// planEvent chooses the index of events if fewer entries have the event than any other value of the filter, or if the
// filter has no other values.
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

// count() returns the number of entries that have the wanted value in a field. If the parameter "event" is not 0, it
// counts only the entries with this event.
func (s *search) count(field, event int64) (n int, err error) {
	probe := *s
	probe.tallyField, probe.values[fieldEvent] = field, event
	if field == fieldAll {
		probe.values[fieldAll] = 0
	}
	days, err := probe.tallied(0, endOfTime, spanDay)
	return total(days), err
}

// found() returns the FROM and WHERE parts of a query for the matching entries between two times.
func (s *search) found(from, to int64) (source string, c *conditions) {
	c = new(conditions)
	if s.byMinute {
		source = s.inMinutes(c, from, to)
	} else {
		source = "entry INDEXED BY " +
			[fields]string{"entry_time", "entry_guideline", "entry_session", "entry_actor", fieldEvent: "entry_event"}[s.index]
		c.add("tenant = ? AND time >= ? AND time < ?", s.tenant, from, to)
	}
	for field, column := range columns() {
		if value := s.values[field]; value != 0 {
			c.add(fmt.Sprintf("entry.%s = ? AND entry.%s > 0", column, column), value)
		}
	}
	c.terms, c.args = append(c.terms, s.more.terms...), append(c.args, s.more.args...)
	return source, c
}

// inMinutes selects the entries of certain minutes: the minutes in which the value of tallyField occurs, according to
// the tallies. The conditions name one lower bound and one upper bound of the time: with more bounds, SQLite would use
// only one of each to find a minute in the index.
func (s *search) inMinutes(c *conditions, from, to int64) (source string) {
	minute := length(spanMinute)
	c.add("tally.tenant = ? AND tally.field = ? AND tally.value = ? AND tally.span = ?",
		s.tenant, s.tallyField, s.values[s.tallyField], spanMinute)
	c.add("tally.start >= ? AND tally.start < ?", from-from%minute, to)
	if event := s.values[fieldEvent]; event != 0 {
		c.add("tally.event = ?", event)
	}
	c.add("entry.tenant = ? AND entry.time >= max(tally.start, ?) AND entry.time < min(tally.start + ?, ?)",
		s.tenant, from, minute, to)
	c.add("entry.event = tally.event")
	return "tally CROSS JOIN entry INDEXED BY entry_time"
}

// order() returns the ORDER BY terms of a query for matching entries.
func (s *search) order(direction string) string {
	order := "time " + direction + ", row " + direction
	if s.byMinute {
		return "tally.start " + direction + ", " + order
	}
	return order
}

// addBeyond selects the entries before or after a place.
func (s *search) addBeyond(c *conditions, at entryPlace, beyond string) {
	if s.byMinute {
		c.add("(+time, +row) "+beyond+" (?, ?)", at.Time, at.Row)
		return
	}
	c.add("(time, row) "+beyond+" (?, ?)", at.Time, at.Row)
}

// scanCount counts the matching entries between two times by scanning the index.
func (s *search) scanCount(from, to int64) (n int, err error) {
	scan := *s
	if s.byMinute && s.common {
		scan.byMinute, scan.index = false, fieldAll
	}
	source, c := scan.found(from, to)
	err = s.QueryRowContext(s.ctx, "SELECT count(*) FROM "+source+" WHERE "+c.text(), c.args...).Scan(&n)
	return n, err
}
