package session

import "guardrails/internal/private"

// Line returns an entry as a line of the ledger, without a signature.
func Line(e Entry) []byte { return e.line() }

// AppendLine signs a line and adds it to a ledger. The line may have any text.
func AppendLine(d *private.Dir, session, line string) error {
	return appendLines(d, session, []byte(line))
}

// StateOf returns the state that the lines of an unsigned ledger produce.
func StateOf(text string) *State {
	l := log{text: text, check: unsigned}
	l.mark = l.lastMark()
	s, from := l.begin()
	s.addLines(l.text[from:], unsigned)
	return s
}

// Trimmed returns an unsigned ledger with a checkpoint added at its end.
func Trimmed(text string) string {
	l := log{text: text, check: unsigned}
	l.mark = l.lastMark()
	s, from := l.begin()
	return text + "\n" + string(l.markAfter(s, from).line()) + "\n"
}

// Wrote reports whether a path is in Files.
func (s *State) Wrote(path string) bool { return s.written[kept(path)] }
