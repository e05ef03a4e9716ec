package code

// awk.go evaluates the language of awk.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
)

// RunAwk analyzes an awk program and returns what it prints. The parameter "variables" holds the assignments on the
// command line of awk, such as x=1, and the names of the files that awk reads. Awk has its own parser, because the
// pipes and redirections of awk differ from the pipes and redirections of the other languages.
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
	return in.Result(v.Taint)
}

func (p *parser) awkBlock(network bool) {
	p.Seen.Connected = network
	p.awkReads()
	p.awkStatements()
	p.callRemaining()
	if network {
		p.markAwkShell()
	}
}

// awkReads analyzes expressions such as getline x < "file". It adds the reads of the files and sets the variables.
func (p *parser) awkReads() {
	for i := 1; i+1 < len(p.toks); i++ {
		if file := &p.toks[i+1]; p.toks[i].IsOp("<") && (p.toks[i-1].IsWord("getline") || i > 1 && p.toks[i-2].IsWord("getline")) {
			from := p.variable(file.Text)
			if file.Kind == lexer.Text {
				from = value.Text(file.Text)
			}
			if from.Text != "" {
				p.bind(p.toks[i-1].Text, &value.Data{Taint: p.ReadPaths(from).Taint})
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

// markAwkShell marks a program that receives commands over the network and runs them. In such a program, the command
// before getline is in a variable. A variable that holds the address of a connection, such as /inet/tcp/0/host/80, does
// not count as a command.
func (p *parser) markAwkShell() {
	for i := 3; i < len(p.toks); i++ {
		name := &p.toks[i-3]
		if p.toks[i-1].IsOp("|") {
			name = &p.toks[i-2]
		}
		piped := p.toks[i].IsWord("getline") && (p.toks[i-1].IsOp("&") || p.toks[i-1].IsOp("|"))
		if piped && name.Kind == lexer.Name && !strings.HasPrefix(p.variable(name.Text).Text, "/inet") {
			p.Trace.Mark(p.Command, "runs what comes in over a connection", effect.ReverseShell)
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
		p.Seen.Branches = true
		p.pos++
	case tok.IsWord("function"), tok.IsWord("func"):
		if !p.definition() {
			p.pos++
		}
	case tok.IsWord("return"):
		p.pos++
		p.returned = value.EitherOf(p.returned, p.awkExpr())
	case tok.IsWord("print"), tok.IsWord("printf"):
		p.pos++
		p.awkPrint(tok.Text == "print")
	default:
		v := p.awkExpr()
		p.awkPipe(v)
	}
}

// awkExpr evaluates an expression. Awk concatenates two values if there is no operator between them.
func (p *parser) awkExpr() value.Value {
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
		var next value.Value
		if next, ok = p.awkOperand(); ok {
			v = p.join(v, next)
		}
	}
	return v
}

func (p *parser) awkOperand() (value.Value, bool) {
	tok := p.peek()
	switch {
	case tok.IsWord("system") && p.tokenAt(1).IsOp("("):
		p.pos += 2
		v := p.awkExpr()
		p.accept(")")
		for _, line := range value.AlternativesOf(v) {
			p.RunText(line)
		}
		return &value.Data{}, true
	case tok.IsOp("(") && p.pipesIn():
		p.pos++
		v := p.awkExpr()
		p.awkPipe(v)
		return v, true
	case tok.Kind == lexer.Name && p.tokenAt(1).IsOp("("), tok.IsOp("("), tok.Kind == lexer.Text:
		return p.operand()
	case tok.Kind == lexer.Number:
		p.pos++
		return value.Text(tok.Text), true
	case tok.IsWord("ENVIRON") && p.tokenAt(1).IsOp("["):
		v := p.Environment(p.tokenAt(2).Text)
		p.pos = min(p.closing(p.pos+1)+1, len(p.toks))
		return v, true
	case tok.Kind == lexer.Name:
		p.pos++
		if v, ok := p.vars[tok.Text]; ok {
			if p.peek().IsOp("[") && v.List {
				p.pos = min(p.closing(p.pos)+1, len(p.toks))
				return value.ItemsOf(v), true
			}
			return v, true
		}
		return &value.Data{Text: "$" + strings.TrimLeft(tok.Text, "$"), Taint: p.Command.In.Taint}, true
	case tok.IsOp("$"):
		p.pos++
		field := p.peek().Text
		p.pos++
		if v, ok := p.vars["$"+field]; ok {
			return v, true
		}
		return &value.Data{Text: "$" + field, Taint: p.Command.In.Taint}, true
	}
	return &value.Data{}, false
}

// pipesIn reports whether the brackets at the current token contain "command" | getline.
func (p *parser) pipesIn() bool {
	for i := p.pos; i < p.closing(p.pos); i++ {
		if p.toks[i].IsWord("getline") {
			return true
		}
	}
	return false
}

// awkPipe evaluates the part after the command in "command" | getline. The parameter v is the command, which awk runs.
func (p *parser) awkPipe(v value.Value) {
	if !p.peek().IsOp("|") && !p.peek().IsOp("&") {
		return
	}
	for p.peek().IsOp("|") || p.peek().IsOp("&") {
		p.pos++
	}
	if p.peek().IsWord("getline") {
		p.pos++
		if !strings.HasPrefix(v.Text, "/inet/") {
			p.RunText(v)
		}
	}
}

// awkPrint evaluates a print statement, which writes to a file, to a command or to standard output.
func (p *parser) awkPrint(line bool) {
	args := value.List()
	bracket := p.accept("(")
	for p.spend(1) && p.pos < len(p.toks) {
		before := p.pos
		args.Items = append(args.Items, p.awkExpr())
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
		p.SavePath(path, value.JoinItems(args, " "))
	case p.accept("|"):
		p.accept("&")
		command := p.awkExpr()
		if !strings.HasPrefix(command.Text, "/inet/") {
			printed := value.JoinItems(args, " ")
			c := *p.Command
			c.In = trace.Flow{Text: printed.Text, Known: printed.Known, Taint: printed.Taint}
			p.Trace.RunText(&c, command.ToTrace())
		}
	default:
		p.PrintArguments(line, args)
	}
}

// bindAwkVariables sets the variables of the program to the values on the command line. Each item of the list is an
// assignment such as name=value, or the name of a file.
func (in *interpreter) bindAwkVariables(list []trace.Value) {
	for i := range list {
		v := &list[i]
		name, text, ok := strings.Cut(v.Text, "=")
		if !ok {
			name, text = "FILENAME", name
		}
		in.vars[name] = &value.Data{Text: text, Known: !v.Partial, Taint: v.Taint}
	}
	if text := strings.TrimSpace(in.Command.In.Text); in.Command.In.Known && text != "" {
		in.vars["$0"] = &value.Data{Text: text, Known: !strings.Contains(text, "\n"), Taint: in.Command.In.Taint}
	}
}
