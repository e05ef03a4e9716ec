package toolcall

// startsOperand reports whether the token here can begin an operand.
func (w *coder) startsOperand() bool {
	t := w.peek()
	switch t.kind {
	case tokLine:
		return false
	case tokOp:
		switch t.text {
		case "(", "[", "{", "-", "!", "&", "*", "@", "\\", "+", "~", "%", "$", "::", "->", "^", "<<":
			return true
		}
		return false
	}
	return true
}

// operand follows one operand with its members, calls and indexes; ok is false when there is none.
func (w *coder) operand() (datum, bool) {
	for range 8 {
		if !w.skipPrefix() {
			break
		}
	}
	start := w.pos
	d, ok := w.primary()
	if !ok || w.pos == start {
		return d, false
	}
	for w.spend(1) {
		next, more := w.postfix(d)
		if !more {
			break
		}
		d = next
	}
	return w.settle(d, start), true
}

// skipPrefix goes past what may stand before an operand without changing which it is.
func (w *coder) skipPrefix() bool {
	t := w.peek()
	switch t.kind {
	case tokOp:
		switch t.text {
		case "-", "!", "&", "*", "\\", "+", "~", "@", "$", "++", "--", "...", "**", "^":
			w.pos++
			return true
		}
	case tokName:
		if w.at(1).is("=") || w.at(1).is(".") {
			return false
		}
		switch t.text {
		case among(t.text, "await new not return yield async typeof void delete my our local defined do scalar then"):
			w.pos++
			return true
		case "lambda":
			for w.pos < len(w.toks) && !w.peek().is(":") && !w.peek().is("->") && !w.peek().is("{") && w.peek().kind != tokLine {
				w.pos++
			}
			w.accept(":")
			return true
		case "function", "sub", "fn":
			w.definition()
			return true
		}
	}
	return false
}
