package toolcall

import "strings"

// bareArguments are a call's arguments without parentheses.
func (w *coder) bareArguments() (datum, bool) {
	if !w.startsBare() {
		return datum{}, false
	}
	if w.tongue == perl && w.peek().is("{") {
		w.pos = min(w.match[w.pos]+1, len(w.toks)) // exec {"/bin/rm"} "rm", "x"
	}
	w.skipHandle()
	d := datum{list: true}
	for w.spend(1) {
		before := w.pos
		w.element(&d, len(w.toks), "")
		if w.pos == before || !w.accept(",") {
			break
		}
	}
	return d, true
}

func (w *coder) startsBare() bool {
	t, name := w.peek(), w.at(-1)
	switch w.tongue {
	case perl, ruby, php, elixir, groovy, other:
	case python:
		if name.text != "print" && name.text != "exec" || t.kind == tokOp {
			return false
		}
	default:
		return false
	}
	switch t.kind {
	case tokText, tokCommand:
		return true
	case tokNumber:
		return t.space
	case tokName:
		return !steers(t.text)
	case tokOp:
		switch t.text {
		case "\\", "@", "[", "%":
			return t.space && w.at(1).kind != tokLine && !w.at(1).space
		case "{":
			return w.tongue == perl && (name.text == "exec" || name.text == "system" || name.text == "print")
		}
	}
	return false
}

// steers are the words that end the arguments before them.
func steers(word string) bool {
	return word == among(word, "if unless while until for foreach and or not do then end else in x eq ne as is rescue elsif elif "+
		"import lt gt xor cmp instanceof from")
}

// skipHandle goes past the file handle of Perl's print F "text" and remembers it for the call.
func (w *coder) skipHandle() {
	if w.tongue != perl || w.peek().kind != tokName {
		return
	}
	if next := w.at(1); next.kind == tokText || next.kind == tokName && !steers(next.text) {
		w.handle = strings.TrimPrefix(w.peek().text, "$")
		w.pos++
	}
}
