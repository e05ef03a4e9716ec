package toolcall

// bindMembers binds the names of an import or a pattern: a, b: c, d as e.
func (w *coder) bindMembers(names []token, from datum) {
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
func (w *coder) importing() bool {
	if w.at(1).is("(") {
		return false
	}
	w.pos++
	if w.tongue == script {
		w.scriptImport()
		return true
	}
	for w.peek().kind == tokName {
		name := w.dottedName()
		if w.acceptWord("as") {
			w.bind(w.peek().text, datum{name: name})
			w.pos++
		} else if w.tongue == python {
			w.forget(name)
		}
		if !w.accept(",") {
			break
		}
	}
	return true
}

// forget lets a module's name mean the module again.
func (w *coder) forget(name string) {
	for i := range len(name) {
		if name[i] == '.' {
			name = name[:i]
			break
		}
	}
	delete(w.vars, name)
}

func (w *coder) dottedName() string {
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
func (w *coder) scriptImport() {
	start := w.pos
	for w.pos < len(w.toks) && w.peek().kind != tokText && w.peek().kind != tokLine && !w.peek().is(";") {
		w.pos++
	}
	if w.peek().kind != tokText {
		return
	}
	names, module := w.toks[start:w.pos], datum{name: moduleName(w.peek().text)}
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
func (w *coder) fromImport() bool {
	if w.tongue != python {
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
	w.bindMembers(w.toks[start:w.pos], datum{name: module})
	return true
}
