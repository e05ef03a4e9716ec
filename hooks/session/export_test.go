package session

// Line returns an entry as a line of the ledger.
func Line(e Entry) []byte { return e.line() }

// StateOf returns the state after the text of a ledger.
func StateOf(text string) *State {
	l := log{text: text}
	l.mark = l.lastMark()
	s, from := l.begin()
	s.addLines(l.text[from:])
	return s
}

// Trimmed returns the text of a ledger with a checkpoint at its end.
func Trimmed(text string) string {
	l := log{text: text}
	l.mark = l.lastMark()
	s, from := l.begin()
	return text + "\n" + string(l.markAfter(s, from).line()) + "\n"
}
