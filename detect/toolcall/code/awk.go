package code

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// awkProgram is awk: its program, its files, and with -i inplace the files that it changes.
func awkProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "F v f e i o l assign file field-separator include source E exec")
	inPlace := false
	for _, v := range o.Values("i include") {
		inPlace = inPlace || v.Text == "inplace"
	}
	code := o.Values("e source")
	operands := o.Operands
	files := o.Values("f file E exec")
	if len(code) == 0 && len(files) == 0 && len(operands) > 0 {
		code, operands = operands[:1], operands[1:]
	}
	for _, v := range operands {
		awkOperand(t, c, v, inPlace)
	}
	for _, v := range files {
		awkFile(t, c, v)
	}
	if len(code) == 0 {
		return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
	}
	return RunAwk(t, c, joinCode(code))
}

func awkOperand(t *trace.Trace, c *trace.Command, v trace.Value, inPlace bool) {
	switch {
	case strings.Contains(v.Text, "=") || v.Text == "-":
	case inPlace:
		t.Write(v, c.Scope, c.Span)
	default:
		c.In.Taint |= t.ReadFlow(v, c.Scope, c.Span).Taint
		c.In.Known = false
	}
}

// awkFile is a program in a file; if the call wrote it, it is followed.
func awkFile(t *trace.Trace, c *trace.Command, v trace.Value) {
	var f trace.Flow
	if v.Pipe != nil {
		f = *v.Pipe
	} else if v.Text == "-" || v.Text == "/dev/stdin" {
		f = c.In
	} else {
		p := t.Place(v, c.Scope)
		f = t.ContentOf(p)
	}
	if f.Known {
		RunAwk(t, c, trace.Value{Text: f.Text, Quality: trace.Quality{Taint: f.Taint}})
		return
	}
	t.RunUnknown(c, f.Taint&^trace.FromFile, "runs an awk program that is not looked into")
}

// RunAwk follows an awk program: what differs from other languages are its pipes and redirections.
func RunAwk(t *trace.Trace, c *trace.Command, v trace.Value) trace.Flow {
	if len(v.Text) > trace.MaxCommandSize {
		t.Opaque(c.Span, "runs a program larger than 128 KiB, which is not looked into", effect.TooLarge)
		return trace.Unknown()
	}
	w := &interpreter{trace: t, c: c, language: trace.Awk, vars: map[string]known{}, out: trace.Flow{Known: true}, partial: v.Partial}
	t.Inside(c.Span, func() trace.Flow {
		w.parse(v.Text).awkBlock(strings.Contains(v.Text, "/inet/"))
		return trace.Nothing()
	})
	judgeWhole(w)
	return w.output(v.Taint)
}

func (w *parser) awkBlock(network bool) {
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
func (w *parser) awkShell() {
	for i := 3; i < len(w.toks); i++ {
		name := w.toks[i-3]
		if w.toks[i-1].is("|") {
			name = w.toks[i-2]
		}
		if w.toks[i].word("getline") && (w.toks[i-1].is("&") || w.toks[i-1].is("|")) && name.kind == tokName && !strings.HasPrefix(w.vars[name.text].text, "/inet") {
			w.trace.Mark(w.c, "runs what comes in over a connection", effect.ReverseShell)
			return
		}
	}
}

func (w *parser) awkStatement() {
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
func (w *parser) awkExpr() known {
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
		var next known
		if next, ok = w.awkTerm(); ok {
			d = join(d, next)
		}
	}
	return d
}

func (w *parser) awkTerm() (known, bool) {
	t := w.peek()
	switch {
	case t.word("system") && w.at(1).is("("):
		w.pos += 2
		d := w.awkExpr()
		w.accept(")")
		w.runText(d)
		return known{}, true
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
		return known{text: "$" + strings.TrimLeft(t.text, "$"), taint: w.c.In.Taint}, true
	case t.is("$"):
		w.pos++
		field := w.peek().text
		w.pos++
		return known{text: "$" + field, taint: w.c.In.Taint}, true
	}
	return known{}, false
}

// awkPipe is "command" | getline.
func (w *parser) awkPipe(d known) {
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
func (w *parser) awkPrint(line bool) {
	args := known{list: true}
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
		savePath(w.interpreter, path, joinedList(args, " "))
	case w.accept("|"):
		w.accept("&")
		command := w.awkExpr()
		if !strings.HasPrefix(command.text, "/inet/") {
			said := joinedList(args, " ")
			c := *w.c
			c.In = trace.Flow{Text: said.text, Known: said.known, Taint: said.taint}
			w.trace.RunText(&c, command.value())
		}
	default:
		w.print(line, args)
	}
}
