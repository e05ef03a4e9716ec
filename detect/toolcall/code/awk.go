package code

// awk.go evaluates the language of awk.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/trace"
)

// RunAwk analyzes an awk program and returns what it prints. The variables are the assignments on its command line, and
// the files that it reads. Awk has its own parser because its pipes and redirections differ from those of the other
// languages.
func RunAwk(t *trace.Trace, c *trace.Command, v trace.Value, variables []trace.Value) trace.Flow {
	if len(v.Text) > trace.MaxCommandSize {
		t.Opaque(c.Span, TooLarge, effect.TooLarge)
		return trace.Unknown()
	}
	in := newInterpreter(t, c, trace.Awk, v)
	in.bindAwkVariables(variables)
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
		if file := &p.toks[i+1]; p.toks[i].IsOp("<") && (p.toks[i-1].IsWord("getline") || i > 1 && p.toks[i-2].IsWord("getline")) {
			from := p.variable(file.Text)
			if file.Kind == lexer.Text {
				from = textValue(file.Text)
			}
			if from.text != "" {
				p.bind(p.toks[i-1].Text, &data{taint: p.readPaths(from).taint})
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
		if p.toks[i-1].IsOp("|") {
			name = &p.toks[i-2]
		}
		piped := p.toks[i].IsWord("getline") && (p.toks[i-1].IsOp("&") || p.toks[i-1].IsOp("|"))
		if piped && name.Kind == lexer.Name && !strings.HasPrefix(p.variable(name.Text).text, "/inet") {
			p.trace.Mark(p.command, "runs what comes in over a connection", effect.ReverseShell)
			return
		}
	}
}

// awkStatement evaluates one statement, or a part of a statement such as "else".
func (p *parser) awkStatement() {
	tok := p.peek()
	switch {
	case tok.IsWord("BEGIN"), tok.IsWord("END"), tok.IsOp("{"), tok.IsOp("}"), tok.Kind == lexer.Line:
		p.pos++
	case tok.IsWord("while"):
		p.pos++
		p.noteEndlessLoop("while")
	case tok.IsWord("if"), tok.IsWord("for"), tok.IsWord("else"):
		p.seen.branches = true
		p.pos++
	case tok.IsWord("function"), tok.IsWord("func"):
		if !p.definition() {
			p.pos++
		}
	case tok.IsWord("return"):
		p.pos++
		p.returned = eitherOf(p.returned, p.awkExpr())
	case tok.IsWord("print"), tok.IsWord("printf"):
		p.pos++
		p.awkPrint(tok.Text == "print")
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
		if tok.IsOp("=") {
			name := p.tokenAt(-1).Text
			p.pos++
			v = p.awkExpr()
			p.bind(name, v)
			return v
		}
		if tok.Kind != lexer.Text && tok.Kind != lexer.Name && tok.Kind != lexer.Number && !tok.IsOp("(") && !tok.IsOp("$") ||
			tok.IsWord("getline") || tok.IsWord("if") || tok.IsWord("print") {
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
	case tok.IsWord("system") && p.tokenAt(1).IsOp("("):
		p.pos += 2
		v := p.awkExpr()
		p.accept(")")
		for _, line := range alternativesOf(v) {
			p.runText(line)
		}
		return &data{}, true
	case tok.Kind == lexer.Name && p.tokenAt(1).IsOp("("), tok.IsOp("("), tok.Kind == lexer.Text:
		return p.operand()
	case tok.Kind == lexer.Number:
		p.pos++
		return textValue(tok.Text), true
	case tok.IsWord("ENVIRON") && p.tokenAt(1).IsOp("["):
		v := p.environment(p.tokenAt(2).Text)
		p.pos = min(p.closing(p.pos+1)+1, len(p.toks))
		return v, true
	case tok.Kind == lexer.Name:
		p.pos++
		if v, ok := p.vars[tok.Text]; ok {
			if p.peek().IsOp("[") && v.list {
				p.pos = min(p.closing(p.pos)+1, len(p.toks))
				return itemsOf(v), true
			}
			return v, true
		}
		return &data{text: "$" + strings.TrimLeft(tok.Text, "$"), taint: p.command.In.Taint}, true
	case tok.IsOp("$"):
		p.pos++
		field := p.peek().Text
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
	if !p.peek().IsOp("|") && !p.peek().IsOp("&") {
		return
	}
	for p.peek().IsOp("|") || p.peek().IsOp("&") {
		p.pos++
	}
	if p.peek().IsWord("getline") {
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

// bindAwkVariables gives the variables of the program the values from the command line: name=value, or the name of a
// file.
func (in *interpreter) bindAwkVariables(list []trace.Value) {
	for i := range list {
		v := &list[i]
		name, text, ok := strings.Cut(v.Text, "=")
		if !ok {
			name, text = "FILENAME", name
		}
		in.vars[name] = &data{text: text, known: !v.Partial, taint: v.Taint}
	}
	if text := strings.TrimSpace(in.command.In.Text); in.command.In.Known && text != "" {
		in.vars["$0"] = &data{text: text, known: !strings.Contains(text, "\n"), taint: in.command.In.Taint}
	}
}
