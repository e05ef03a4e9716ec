package session

import (
	"strconv"
	"strings"

	"guardrails/internal/document"
	"guardrails/internal/private"
)

// trimAt is the smallest number of bytes that must follow a checkpoint before Trim adds the next one.
const trimAt = 32 << 10

// Trim adds a checkpoint to a long ledger, so later calls of ReadLedger read less. It only appends to the file, so it
// cannot lose a line that another process adds at the same time. An incomplete checkpoint is ignored.
func Trim(d *private.Dir, session string) error {
	l, err := readLog(d, session)
	if err != nil {
		return err
	}
	s, from := l.begin()
	if len(l.text)-from < trimAt+2*len(l.mark.entries) {
		return nil
	}
	return appendLines(d, session, l.markAfter(s, from).line())
}

// markAfter adds the lines of the text to the state and returns a checkpoint for the result.
func (l log) markAfter(s *State, from int) mark {
	end := from + s.addLines(l.text[from:], l.check)
	return mark{l.offset + int64(end), s.entries(), !s.TestedSinceWrite, s.Truncated, s.Unreadable}
}

const markKind = "checkpoint"

// A mark is a checkpoint. It holds the state after all lines before it.
type mark struct {
	// The field "to" is a position in the file. The state in the checkpoint is the state after all lines before this
	// position.
	to int64
	// The field "entries" holds lines from which the state can be built again. The fields below hold the rest of the
	// state.
	entries    string
	untested   bool
	truncated  bool
	unreadable int
}

// entries() returns lines that produce the state. It returns as few lines as possible.
func (s *State) entries() string {
	var lines []string
	add := func(e Entry) { lines = append(lines, string(e.line())+"\n") }
	for name := range s.noticed {
		add(Entry{Kind: Noticed, Name: name})
	}
	for command, times := range s.Failures {
		add(Entry{Kind: Tested, Command: command, times: times})
	}
	document.SortTexts(lines)
	if len(s.Untested) > 0 {
		for _, path := range s.Untested {
			add(Entry{Kind: Wrote, Path: path, Source: true})
		}
		add(Entry{Kind: Committed}) // some of these files may be in a commit
	}
	for _, command := range s.Passed {
		add(Entry{Kind: Tested, Command: command, Passed: true, Name: Listed})
	}
	for _, path := range s.Files {
		add(Entry{Kind: Wrote, Path: path})
	}
	if s.planned.Planned {
		add(s.planned)
	}
	add(Entry{Kind: Chose, Choice: s.Choice})
	return strings.Join(lines, "")
}

func (m mark) begin() *State {
	s := newState()
	s.addLines(m.entries, unsigned)
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

// parseMark parses the line of a checkpoint. It returns false for other lines.
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
