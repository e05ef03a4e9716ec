package code

// awk.go analyzes the command line and the language of awk.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// awkProgram analyzes the program that awk runs, and records the files that awk reads or, with "-i inplace", changes.
func awkProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "F v f e i o l assign file field-separator include source E exec")
	inPlace := false
	for _, v := range o.Values("i include") {
		inPlace = inPlace || v.Text == "inplace"
	}
	code := o.Values("e source")
	operands := o.Operands
	files := o.Values("f file E exec")
	a := awkRun{given: o.Values("v assign")}
	if len(code) == 0 && len(files) == 0 && len(operands) > 0 {
		code, operands = operands[:1], operands[1:]
	}
	a.operands = operands
	for _, v := range operands {
		awkInput(t, c, v, inPlace)
	}
	for _, v := range files {
		a.file(t, c, v)
	}
	if len(code) == 0 {
		return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
	}
	return a.run(t, c, joinCode(code))
}

// awkRun is what the command line gives to an awk program: variables in the form name=value, and operands, which are
// files or variables.
type awkRun struct{ given, operands []trace.Value }

// bind gives the variables of the program the values from the command line.
func (a *awkRun) bind(in *interpreter) {
	for _, list := range [...][]trace.Value{a.given, a.operands} {
		for i := range list {
			v := &list[i]
			name, text, ok := strings.Cut(v.Text, "=")
			if !ok {
				name, text = "FILENAME", name
			}
			in.vars[name] = &data{text: text, known: !v.Partial, taint: v.Taint}
		}
	}
	if text := strings.TrimSpace(in.command.In.Text); in.command.In.Known && text != "" {
		in.vars["$0"] = &data{text: text, known: !strings.Contains(text, "\n"), taint: in.command.In.Taint}
	}
}

// awkInput adds the effect on one file on the command line of awk. Awk reads the file, or changes it if inPlace is set.
func awkInput(t *trace.Trace, c *trace.Command, v trace.Value, inPlace bool) {
	switch {
	case strings.Contains(v.Text, "=") || v.Text == "-":
	case inPlace:
		t.Write(v, c.Scope, c.Span)
	default:
		c.In.Taint |= t.ReadFlow(v, c.Scope, c.Span).Taint
		c.In.Known = false
	}
}

// file analyzes an awk program in a file or in standard input.
func (a *awkRun) file(t *trace.Trace, c *trace.Command, v trace.Value) {
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
		a.run(t, c, trace.Value{Text: f.Text, Quality: trace.Quality{Taint: f.Taint}})
		return
	}
	if v.Pipe == nil && f.Taint == trace.FromFile {
		t.CommandsIn(c, v, func(inner *trace.Command, text string) { a.run(t, inner, trace.Value{Text: text}) })
		return
	}
	t.RunUnknown(c, f.Taint&^trace.FromFile, "runs an awk program that was not analyzed")
}

// RunAwk analyzes an awk program and returns what it prints.
func RunAwk(t *trace.Trace, c *trace.Command, v trace.Value) trace.Flow {
	return (&awkRun{}).run(t, c, v)
}

// run does what RunAwk does. Awk has its own parser because its pipes and redirections differ from those of the other
// languages.
func (a *awkRun) run(t *trace.Trace, c *trace.Command, v trace.Value) trace.Flow {
	if len(v.Text) > trace.MaxCommandSize {
		t.Opaque(c.Span, tooLarge, effect.TooLarge)
		return trace.Unknown()
	}
	in := newInterpreter(t, c, trace.Awk, v)
	a.bind(in)
	t.Inside(c.Span, func() trace.Flow {
		in.parse(v.Text).awkBlock(strings.Contains(v.Text, "/inet/"))
		return trace.Nothing()
	})
	in.markCombinations()
	return in.result(v.Taint)
}

func (p *parser) awkBlock(network bool) {
	p.seen.connected = network
	p.awkReads()
	p.awkStatements()
	p.callRemaining()
	if network {
		p.markAwkShell()
	}
}

// awkReads adds the effects of getline x < "file" on the file and on the variable.
func (p *parser) awkReads() {
	for i := 1; i+1 < len(p.toks); i++ {
		if file := &p.toks[i+1]; p.toks[i].isOp("<") && (p.toks[i-1].isWord("getline") || i > 1 && p.toks[i-2].isWord("getline")) {
			from := p.variable(file.text)
			if file.kind == tokText {
				from = textValue(file.text)
			}
			if from.text != "" {
				p.bind(p.toks[i-1].text, &data{taint: p.readPaths(from).taint})
			}
		}
	}
}

func (p *parser) awkStatements() {
	for p.pos < len(p.toks) && p.spend(1) {
		before := p.pos
		p.awkStatement()
		if p.pos == before {
			p.pos++
		}
	}
}

// markAwkShell marks a program that runs the commands that it receives over the network. Such a program passes a
// variable to getline, rather than the connection itself.
func (p *parser) markAwkShell() {
	for i := 3; i < len(p.toks); i++ {
		name := &p.toks[i-3]
		if p.toks[i-1].isOp("|") {
			name = &p.toks[i-2]
		}
		piped := p.toks[i].isWord("getline") && (p.toks[i-1].isOp("&") || p.toks[i-1].isOp("|"))
		if piped && name.kind == tokName && !strings.HasPrefix(p.variable(name.text).text, "/inet") {
			p.trace.Mark(p.command, "runs what comes in over a connection", effect.ReverseShell)
			return
		}
	}
}

// awkStatement evaluates one statement, or a part of a statement such as "else".
func (p *parser) awkStatement() {
	tok := p.peek()
	switch {
	case tok.isWord("BEGIN"), tok.isWord("END"), tok.isOp("{"), tok.isOp("}"), tok.kind == tokLine:
		p.pos++
	case tok.isWord("while"):
		p.pos++
		p.noteEndlessLoop("while")
	case tok.isWord("if"), tok.isWord("for"), tok.isWord("else"):
		p.seen.branches = true
		p.pos++
	case tok.isWord("function"), tok.isWord("func"):
		if !p.definition() {
			p.pos++
		}
	case tok.isWord("return"):
		p.pos++
		p.returned = eitherOf(p.returned, p.awkExpr())
	case tok.isWord("print"), tok.isWord("printf"):
		p.pos++
		p.awkPrint(tok.text == "print")
	default:
		v := p.awkExpr()
		p.awkPipe(v)
	}
}

// awkExpr evaluates an expression. Awk concatenates two values if there is no operator between them.
func (p *parser) awkExpr() value {
	v, ok := p.awkOperand()
	for ok && p.spend(1) {
		tok := p.peek()
		if tok.isOp("=") {
			name := p.tokenAt(-1).text
			p.pos++
			v = p.awkExpr()
			p.bind(name, v)
			return v
		}
		if tok.kind != tokText && tok.kind != tokName && tok.kind != tokNumber && !tok.isOp("(") && !tok.isOp("$") ||
			tok.isWord("getline") || tok.isWord("if") || tok.isWord("print") {
			return v
		}
		var next value
		if next, ok = p.awkOperand(); ok {
			v = p.join(v, next)
		}
	}
	return v
}

func (p *parser) awkOperand() (value, bool) {
	tok := p.peek()
	switch {
	case tok.isWord("system") && p.tokenAt(1).isOp("("):
		p.pos += 2
		v := p.awkExpr()
		p.accept(")")
		for _, line := range alternativesOf(v) {
			p.runText(line)
		}
		return &data{}, true
	case tok.kind == tokName && p.tokenAt(1).isOp("("), tok.isOp("("), tok.kind == tokText:
		return p.operand()
	case tok.kind == tokNumber:
		p.pos++
		return textValue(tok.text), true
	case tok.isWord("ENVIRON") && p.tokenAt(1).isOp("["):
		v := p.environment(p.tokenAt(2).text)
		p.pos = min(p.closing(p.pos+1)+1, len(p.toks))
		return v, true
	case tok.kind == tokName:
		p.pos++
		if v, ok := p.vars[tok.text]; ok {
			if p.peek().isOp("[") && v.list {
				p.pos = min(p.closing(p.pos)+1, len(p.toks))
				return itemsOf(v), true
			}
			return v, true
		}
		return &data{text: "$" + strings.TrimLeft(tok.text, "$"), taint: p.command.In.Taint}, true
	case tok.isOp("$"):
		p.pos++
		field := p.peek().text
		p.pos++
		if v, ok := p.vars["$"+field]; ok {
			return v, true
		}
		return &data{text: "$" + field, taint: p.command.In.Taint}, true
	}
	return &data{}, false
}

// awkPipe evaluates the rest of "command" | getline, which runs the command v.
func (p *parser) awkPipe(v value) {
	if !p.peek().isOp("|") && !p.peek().isOp("&") {
		return
	}
	for p.peek().isOp("|") || p.peek().isOp("&") {
		p.pos++
	}
	if p.peek().isWord("getline") {
		p.pos++
		if !strings.HasPrefix(v.text, "/inet/") {
			p.runText(v)
		}
	}
}

// awkPrint evaluates a print statement, which writes to a file, to a command or to standard output.
func (p *parser) awkPrint(line bool) {
	args := &data{list: true}
	bracket := p.accept("(")
	for p.spend(1) && p.pos < len(p.toks) {
		before := p.pos
		args.items = append(args.items, p.awkExpr())
		if p.pos == before || !p.accept(",") {
			break
		}
	}
	if bracket {
		p.accept(")")
	}
	switch {
	case p.accept(">"), p.accept(">>"):
		path := p.awkExpr()
		p.savePath(path, joinItems(args, " "))
	case p.accept("|"):
		p.accept("&")
		command := p.awkExpr()
		if !strings.HasPrefix(command.text, "/inet/") {
			printed := joinItems(args, " ")
			c := *p.command
			c.In = trace.Flow{Text: printed.text, Known: printed.known, Taint: printed.taint}
			p.trace.RunText(&c, command.toTrace())
		}
	default:
		p.printArguments(line, args)
	}
}
