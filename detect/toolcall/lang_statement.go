package toolcall

// statement follows one statement, or a part of one: a word that only steers is skipped.
func (w *coder) statement() {
	t := w.peek()
	if t.kind == tokLine || t.is(";") || t.is(",") {
		w.pos++
		return
	}
	if t.kind == tokName && !w.at(1).is("=") && !w.at(1).is(".") && w.keyword(t.text) {
		return
	}
	before := w.pos
	d := w.expr()
	if w.pos == before {
		return
	}
	if w.peek().word("as") && w.at(1).kind == tokName {
		w.bind(w.at(1).text, d)
		w.pos += 2
	}
}

// keyword handles a word that begins a statement and reports whether it was one.
func (w *coder) keyword(word string) bool {
	switch word {
	case "import":
		return w.importing()
	case "from":
		return w.fromImport()
	case "use":
		return w.tongue == perl && w.usePragma()
	case among(word, "def function sub fn func class defmodule defp"):
		return w.definition()
	case "for", "foreach":
		w.pos++
		w.loop()
	case "while", "until", "loop", "repeat":
		w.pos++
		w.endless(word)
	case among(word, "if elif elsif elseif unless switch case when else try except catch rescue"):
		w.seen.branches = true
		w.pos++
	case "const", "let", "var":
		w.pos++
		w.destructure()
	case among(word, "my our local global static final auto return yield await do then end in not and or del raise assert "+
		"async export default begin ensure finally with BEGIN END throw new"):
		w.pos++
	default:
		return false
	}
	return true
}

// definition skips the name and the parameters of a function, so that they are not taken for a call.
func (w *coder) definition() bool {
	w.pos++
	for w.peek().kind == tokName || w.peek().is(".") {
		w.pos++
	}
	if w.peek().is("(") {
		w.parameters(w.match[w.pos])
	}
	return true
}

// parameters forgets what the parameters' names meant outside.
func (w *coder) parameters(end int) {
	for ; w.pos < end && w.pos < len(w.toks); w.pos++ {
		if t := w.peek(); t.kind == tokName {
			delete(w.vars, t.text)
		}
	}
	w.accept(")")
}

// endless notes a loop that has no end.
func (w *coder) endless(word string) {
	w.seen.branches = true
	i := 0
	for w.at(i).is("(") {
		i++
	}
	t := w.at(i)
	switch {
	case word == "loop", t.word("True"), t.word("true"), t.word("TRUE"), t.word("fork"), t.kind == tokNumber && t.text != "0":
		w.seen.endless = true
	}
}

// loop binds a loop's variable to the list that it runs over.
func (w *coder) loop() {
	w.seen.branches = true
	bracket := w.accept("(")
	w.acceptWord("const", "let", "var", "my")
	if w.peek().is(";") && w.at(1).is(";") {
		w.seen.endless = true
	}
	t := w.peek()
	switch next := w.at(1); {
	case t.kind == tokName && (next.word("in") || next.word("of")):
		w.pos += 2
		w.bindItem(t.text, w.expr())
	case t.kind == tokName && w.tongue == perl && next.is("("):
		w.pos++
		w.bindItem(t.text, w.expr())
	case bracket && w.tongue == perl:
		w.pos--
		w.bindItem("$_", w.expr())
	case bracket && w.tongue == php:
		list := w.expr()
		if w.acceptWord("as") {
			w.bindItem(w.peek().text, list)
		}
	}
}

// bindItem lets a loop's variable stand for every item at once.
func (w *coder) bindItem(name string, list datum) {
	if single := w.tongue == perl && list.known; !list.list && !single {
		list = datum{taint: list.taint}
	}
	w.bind(name, list)
}

// destructure binds const { a, b: c } = expression.
func (w *coder) destructure() {
	if !w.peek().is("{") {
		return
	}
	end := w.match[w.pos]
	if end+1 >= len(w.toks) || !w.toks[end+1].is("=") {
		return
	}
	names := w.toks[w.pos+1 : end]
	w.pos = end + 2
	from := w.expr()
	w.bindMembers(names, from)
}

// usePragma skips the names that Perl's use brings in.
func (w *coder) usePragma() bool {
	for w.pos < len(w.toks) && w.peek().kind != tokLine && !w.peek().is(";") {
		w.pos++
	}
	return true
}
