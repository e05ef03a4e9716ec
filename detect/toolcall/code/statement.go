package code

import (
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// bindMembers binds the names of an import or a pattern: a, b: c, d as e.
func (w *interpreter) bindMembers(names []token, from known) {
	for i := 0; i < len(names); i++ {
		if names[i].kind != tokName {
			continue
		}
		member, alias := names[i].text, names[i].text
		if i+2 < len(names) && (names[i+1].is(":") || names[i+1].word("as")) && names[i+2].kind == tokName {
			alias = names[i+2].text
			i += 2
		}
		w.bind(alias, w.member(from, member))
	}
}

// importing follows import in its Python and JavaScript forms.
func (w *parser) importing() bool {
	if w.at(1).is("(") {
		return false
	}
	w.pos++
	if w.language == trace.Script {
		w.scriptImport()
		return true
	}
	for w.peek().kind == tokName {
		name := w.dottedName()
		if w.acceptWord("as") {
			w.bind(w.peek().text, known{name: name})
			w.pos++
		} else if w.language == trace.Python {
			w.forget(name)
		}
		if !w.accept(",") {
			break
		}
	}
	return true
}

// forget lets a module's name mean the module again.
func (w *interpreter) forget(name string) {
	for i := range len(name) {
		if name[i] == '.' {
			name = name[:i]
			break
		}
	}
	delete(w.vars, name)
}

func (w *parser) dottedName() string {
	name := ""
	for w.peek().kind == tokName || w.peek().is(".") || w.peek().is("*") {
		if w.peek().word("as") || w.peek().word("import") {
			break
		}
		name += w.peek().text
		w.pos++
	}
	return name
}

// scriptImport follows import x from "m", import {a as b} from "m" and import * as x from "m".
func (w *parser) scriptImport() {
	start := w.pos
	for w.pos < len(w.toks) && w.peek().kind != tokText && w.peek().kind != tokLine && !w.peek().is(";") {
		w.pos++
	}
	if w.peek().kind != tokText {
		return
	}
	names, module := w.toks[start:w.pos], known{name: moduleName(w.peek().text)}
	w.pos++
	for i, t := range names {
		switch {
		case t.is("{"):
			w.bindMembers(names[i+1:], module)
			return
		case t.kind == tokName && t.text != "from" && t.text != "as" && t.text != "type":
			w.bind(t.text, module)
		}
	}
}

// fromImport follows Python's from m import a as b, *.
func (w *parser) fromImport() bool {
	if w.language != trace.Python {
		return false
	}
	w.pos++
	module := w.dottedName()
	if !w.acceptWord("import") {
		return true
	}
	start := w.pos
	end := start
	if w.peek().is("(") {
		end = w.match[w.pos]
	}
	for w.pos < len(w.toks) && (w.pos < end || w.peek().kind != tokLine && !w.peek().is(";")) {
		w.pos++
	}
	if w.toks[min(start, len(w.toks)-1)].is("*") {
		w.stars = append(w.stars, module)
		return true
	}
	w.bindMembers(w.toks[start:w.pos], known{name: module})
	return true
}

// statement follows one statement, or a part of one: a word that only steers is skipped.
func (w *parser) statement() {
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
func (w *parser) keyword(word string) bool {
	switch word {
	case "import":
		return w.importing()
	case "from":
		return w.fromImport()
	case "use":
		return w.language == trace.Perl && w.usePragma()
	case words.Among(word, "def function sub fn func class defmodule defp"):
		return w.definition()
	case "for", "foreach":
		w.pos++
		w.loop()
	case "while", "until", "loop", "repeat":
		w.pos++
		w.endless(word)
	case words.Among(word, "if elif elsif elseif unless switch case when else try except catch rescue"):
		w.seen.branches = true
		w.pos++
	case "const", "let", "var":
		w.pos++
		w.destructure()
	case words.Among(word, "my our local global static final auto return yield await do then end in not and or del raise assert "+
		"async export default begin ensure finally with BEGIN END throw new"):
		w.pos++
	default:
		return false
	}
	return true
}

// definition skips the name and the parameters of a function, so that they are not taken for a call.
func (w *parser) definition() bool {
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
func (w *parser) parameters(end int) {
	for ; w.pos < end && w.pos < len(w.toks); w.pos++ {
		if t := w.peek(); t.kind == tokName {
			delete(w.vars, t.text)
		}
	}
	w.accept(")")
}

// endless notes a loop that has no end.
func (w *parser) endless(word string) {
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
func (w *parser) loop() {
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
	case t.kind == tokName && w.language == trace.Perl && next.is("("):
		w.pos++
		w.bindItem(t.text, w.expr())
	case bracket && w.language == trace.Perl:
		w.pos--
		w.bindItem("$_", w.expr())
	case bracket && w.language == trace.PHP:
		list := w.expr()
		if w.acceptWord("as") {
			w.bindItem(w.peek().text, list)
		}
	}
}

// bindItem lets a loop's variable stand for every item at once.
func (w *interpreter) bindItem(name string, list known) {
	if single := w.language == trace.Perl && list.known; !list.list && !single {
		list = known{taint: list.taint}
	}
	w.bind(name, list)
}

// destructure binds const { a, b: c } = expression.
func (w *parser) destructure() {
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
func (w *parser) usePragma() bool {
	for w.pos < len(w.toks) && w.peek().kind != tokLine && !w.peek().is(";") {
		w.pos++
	}
	return true
}
