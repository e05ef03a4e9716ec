package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// awkProgram is awk: its program, its files, and with -i inplace the files that it changes.
func awkProgram(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "F v f e i o l assign file field-separator include source E exec")
	inPlace := false
	for _, v := range o.values("i include") {
		inPlace = inPlace || v.text == "inplace"
	}
	code := o.values("e source")
	operands := o.operands
	files := o.values("f file E exec")
	if len(code) == 0 && len(files) == 0 && len(operands) > 0 {
		code, operands = operands[:1], operands[1:]
	}
	for _, v := range operands {
		a.awkOperand(c, v, inPlace)
	}
	for _, v := range files {
		a.awkFile(c, v)
	}
	if len(code) == 0 {
		return flow{taint: c.in.taint | fromProgram}
	}
	return a.runAwk(c, joinCode(code))
}

func (a *analyzer) awkOperand(c *command, v value, inPlace bool) {
	switch {
	case strings.Contains(v.text, "=") || v.text == "-":
	case inPlace:
		a.write(v, c.sc, c.span)
	default:
		c.in.taint |= a.readFlow(v, c.sc, c.span).taint
		c.in.known = false
	}
}

// awkFile is a program in a file; if the call wrote it, it is followed.
func (a *analyzer) awkFile(c *command, v value) {
	var f flow
	if v.pipe != nil {
		f = *v.pipe
	} else if v.text == "-" || v.text == "/dev/stdin" {
		f = c.in
	} else {
		p := a.place(v, c.sc)
		f = a.contentOf(p)
	}
	if f.known {
		a.runAwk(c, value{text: f.text, quality: quality{taint: f.taint}})
		return
	}
	a.runUnknown(c, f.taint&^fromFile, "runs an awk program that is not looked into")
}

// runAwk follows an awk program: what differs from other languages are its pipes and redirections.
func (a *analyzer) runAwk(c *command, v value) flow {
	if len(v.text) > MaxCommandSize {
		a.opaque(c.span, "runs a program larger than 128 KiB, which is not looked into", effect.TooLarge)
		return unknown()
	}
	w := &coder{a: a, c: c, tongue: awk, vars: map[string]datum{}, out: flow{known: true}, partial: v.partial}
	a.inside(c.span, func() flow {
		w.toks = lex(v.text, awk)
		w.match = brackets(w.toks)
		w.awkBlock(strings.Contains(v.text, "/inet/"))
		return nothing()
	})
	w.finish()
	return w.output(v.taint)
}

func (w *coder) awkBlock(network bool) {
	w.seen.connected = network
	for w.pos < len(w.toks) && w.spend(1) {
		before := w.pos
		w.awkStatement()
		if w.pos == before {
			w.pos++
		}
	}
	if network {
		w.awkShell()
	}
}

// awkShell finds commands that come in over the network: a name with |& getline that is not the connection's.
func (w *coder) awkShell() {
	for i := 3; i < len(w.toks); i++ {
		name := w.toks[i-3]
		if w.toks[i-1].is("|") {
			name = w.toks[i-2]
		}
		if w.toks[i].word("getline") && (w.toks[i-1].is("&") || w.toks[i-1].is("|")) && name.kind == tokName && !strings.HasPrefix(w.vars[name.text].text, "/inet") {
			w.a.mark(w.c, "runs what comes in over a connection", effect.ReverseShell)
			return
		}
	}
}

func (w *coder) awkStatement() {
	t := w.peek()
	switch {
	case t.word("BEGIN"), t.word("END"), t.is("{"), t.is("}"), t.kind == tokLine:
		w.pos++
	case t.word("while"):
		w.pos++
		w.endless("while")
	case t.word("if"), t.word("for"), t.word("else"):
		w.seen.branches = true
		w.pos++
	case t.word("print"), t.word("printf"):
		w.pos++
		w.awkPrint(t.text == "print")
	default:
		d := w.awkExpr()
		w.awkPipe(d)
	}
}

// awkExpr is a value: awk puts values that stand side by side together.
func (w *coder) awkExpr() datum {
	d, ok := w.awkTerm()
	for ok && w.spend(1) {
		t := w.peek()
		if t.is("=") {
			name := w.at(-1).text
			w.pos++
			d = w.awkExpr()
			w.bind(name, d)
			return d
		}
		if t.kind != tokText && t.kind != tokName && t.kind != tokNumber && !t.is("(") && !t.is("$") || t.word("getline") || t.word("if") || t.word("print") {
			return d
		}
		var next datum
		if next, ok = w.awkTerm(); ok {
			d = join(d, next)
		}
	}
	return d
}

func (w *coder) awkTerm() (datum, bool) {
	t := w.peek()
	switch {
	case t.word("system") && w.at(1).is("("):
		w.pos += 2
		d := w.awkExpr()
		w.accept(")")
		w.runText(d)
		return datum{}, true
	case t.kind == tokName && w.at(1).is("("), t.is("("), t.kind == tokText:
		return w.operand()
	case t.kind == tokNumber:
		w.pos++
		return text(t.text), true
	case t.kind == tokName:
		w.pos++
		if d, ok := w.vars[t.text]; ok {
			return d, true
		}
		return datum{text: "$" + strings.TrimLeft(t.text, "$"), taint: w.c.in.taint}, true
	case t.is("$"):
		w.pos++
		field := w.peek().text
		w.pos++
		return datum{text: "$" + field, taint: w.c.in.taint}, true
	}
	return datum{}, false
}

// awkPipe is "command" | getline.
func (w *coder) awkPipe(d datum) {
	if !w.peek().is("|") && !w.peek().is("&") {
		return
	}
	for w.peek().is("|") || w.peek().is("&") {
		w.pos++
	}
	if w.peek().word("getline") {
		w.pos++
		if !strings.HasPrefix(d.text, "/inet/") {
			w.runText(d)
		}
	}
}

// awkPrint is print with where it goes: a file, a command, or the output.
func (w *coder) awkPrint(line bool) {
	args := datum{list: true}
	bracket := w.accept("(")
	for w.spend(1) && w.pos < len(w.toks) {
		before := w.pos
		args.items = append(args.items, w.awkExpr())
		if w.pos == before || !w.accept(",") {
			break
		}
	}
	if bracket {
		w.accept(")")
	}
	switch {
	case w.accept(">"), w.accept(">>"):
		path := w.awkExpr()
		w.save(path, joinedList(args, " "))
	case w.accept("|"):
		w.accept("&")
		command := w.awkExpr()
		if !strings.HasPrefix(command.text, "/inet/") {
			said := joinedList(args, " ")
			c := *w.c
			c.in = flow{text: said.text, known: said.known, taint: said.taint}
			w.a.runText(&c, command.value())
		}
	default:
		w.print(line, args)
	}
}
