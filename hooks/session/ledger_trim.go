package session

import (
	"slices"
	"strconv"
	"strings"

	"guardrails/internal/document"
	"guardrails/internal/private"
)

// trimAt is how much must have been added since the last checkpoint before another is worth its while.
const trimAt = 32 << 10

// Trim shortens what later calls of Ledger have to read, once the lines have become many: it adds a checkpoint that tells
// what they amount to. Nothing is rewritten, so that no line that another process adds at the same time can be lost, and
// a checkpoint that was not written whole counts for nothing.
func Trim(d *private.Dir, session string) error {
	l, err := readLog(d, session)
	if err != nil {
		return err
	}
	s, from := l.begin()
	if len(l.text)-from < trimAt+2*len(l.mark.entries) {
		return nil
	}
	return d.Append(LedgerName(session), l.markAfter(s, from).line())
}

// markAfter is the checkpoint that stands for all lines of the text.
func (l log) markAfter(s *State, from int) mark {
	end := from + s.addLines(l.text[from:])
	return mark{l.offset + int64(end), s.entries(), !s.TestedSinceWrite, s.Truncated, s.Unreadable}
}

// markKind is the kind of a checkpoint's line.
const markKind = "checkpoint"

// mark is a checkpoint: what all the lines before it amount to.
type mark struct {
	// to is where those lines end in the file.
	to int64
	// entries are lines of a ledger that lead to the state, but for the rest of the fields.
	entries    string
	untested   bool
	truncated  bool
	unreadable int
}

// entries are the fewest lines that lead to the state.
func (s *State) entries() string {
	var lines []string
	add := func(e Entry) { lines = append(lines, string(e.line())+"\n") }
	for name := range s.noticed {
		add(Entry{Kind: Noticed, Name: name})
	}
	for command, times := range s.Failures {
		add(Entry{Kind: Tested, Command: command, times: times})
	}
	slices.Sort(lines)
	for _, path := range s.Files {
		add(Entry{Kind: Wrote, Path: path})
	}
	add(Entry{Kind: Chose, Choice: s.Choice})
	return strings.Join(lines, "")
}

// begin is the state that the checkpoint tells.
func (m mark) begin() *State {
	s := newState()
	s.addLines(m.entries)
	s.TestedSinceWrite, s.Truncated, s.Unreadable = !m.untested, m.truncated, s.Unreadable+m.unreadable
	return s
}

func (m mark) line() []byte {
	line := []byte(`{"kind":"` + markKind + `","to":`)
	line = strconv.AppendInt(line, m.to, 10)
	line = strconv.AppendBool(append(line, `,"untested":`...), m.untested)
	line = strconv.AppendBool(append(line, `,"truncated":`...), m.truncated)
	line = strconv.AppendInt(append(line, `,"unreadable":`...), int64(m.unreadable), 10)
	line = document.AppendText(append(line, `,"entries":`...), m.entries)
	return append(line, '}')
}

// parseMark reads a checkpoint's line; false when it is not one.
func parseMark(line string) (m mark, ok bool) {
	ok = eachField(line, m.set) && m.to > 0
	return m, ok
}

func (m *mark) set(name, raw string) (ok bool) {
	var err error
	switch name {
	case "to":
		m.to, err = strconv.ParseInt(raw, 10, 64)
	case "untested":
		m.untested, ok = boolean(raw)
		return ok
	case "truncated":
		m.truncated, ok = boolean(raw)
		return ok
	case "unreadable":
		m.unreadable, err = strconv.Atoi(raw)
	case "entries":
		m.entries, ok = text(raw)
		return ok
	}
	return err == nil
}
