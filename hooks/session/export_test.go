package session

import "guardrails/internal/private"

// Line returns an entry as a line of the ledger, without a signature.
func Line(e Entry) []byte { return e.line() }

// AppendLine adds any text as a signed line to a ledger.
func AppendLine(d *private.Dir, session, line string) error {
	return appendLine(d, session, []byte(line))
}

// StateOf returns the state after all lines of a ledger without signatures.
func StateOf(text string) *State {
	l := log{text: text, check: unsigned}
	l.mark = l.lastMark()
	s, from := l.begin()
	s.addLines(l.text[from:], unsigned)
	return s
}

// Trimmed returns the text of a ledger with a checkpoint at its end.
func Trimmed(text string) string {
	l := log{text: text, check: unsigned}
	l.mark = l.lastMark()
	s, from := l.begin()
	return text + "\n" + string(l.markAfter(s, from).line()) + "\n"
}
