package session

// What tests need to see.

// Line is an entry as it stands in the ledger.
func Line(e Entry) []byte { return e.line() }

// StateOf is what the text of a ledger adds up to.
func StateOf(text string) *State {
	l := log{text: text}
	l.mark = l.lastMark()
	s, from := l.begin()
	s.addLines(l.text[from:])
	return s
}

// Trimmed is the text of a ledger with a checkpoint at its end.
func Trimmed(text string) string {
	l := log{text: text}
	l.mark = l.lastMark()
	s, from := l.begin()
	return text + "\n" + string(l.markAfter(s, from).line()) + "\n"
}
