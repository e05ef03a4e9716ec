package code

// statement.go evaluates statements, loops and definitions.

import (
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// statement() evaluates one statement, or a part of a statement. It skips the words of control flow.
func (p *parser) statement() {
	tok := p.peek()
	if tok.Kind == lexer.Line || tok.IsOp(";") || tok.IsOp(",") {
		p.pos++
		if tok.IsOp(",") && p.Language == trace.Script {
			p.destructure() // as in const a = x, {b} = y
		}
		return
	}
	if tok.Kind == lexer.Name && !p.tokenAt(1).IsOp("=") && !p.tokenAt(1).IsOp(".") && (p.methodDefinition() || p.keyword(tok.Text)) {
		return
	}
	p.bindPostfixLoop()
	before := p.pos
	v := p.expr()
	if p.pos == before {
		return
	}
	p.annotated(&v, before)
	p.last = v
	if p.peek().IsWord("as") && p.tokenAt(1).Kind == lexer.Name {
		p.bind(p.tokenAt(1).Text, v)
		p.pos += 2
	}
}

// annotated() evaluates the rest of an assignment with a type: "name: type = value". The parameter "start" is the
// index at which the left side of the assignment begins.
func (p *parser) annotated(left *value.Value, start int) {
	before := &p.toks[max(start-1, 0)]
	begins := p.Language == trace.Python && (start == 0 || before.Kind == lexer.Line || before.IsOp(";")) ||
		p.Language == trace.Script && (before.IsWord("const") || before.IsWord("let") || before.IsWord("var"))
	if !begins || !p.peek().IsOp(":") {
		return
	}
	end, at := p.pos+1, p.pos-1
	for end < len(p.toks) && p.toks[end].Kind != lexer.Line && !p.toks[end].IsOp(";") && !p.toks[end].IsOp("=") {
		if close := p.closing(end); close < len(p.toks) {
			end = close
		}
		end++
	}
	for p.pos++; p.pos < end; {
		if from := p.pos; !p.spend(1) {
			return
		} else if p.operand(); p.pos == from {
			p.pos++
		}
	}
	if p.pos == end && p.peek().IsOp("=") {
		p.assign(left, "=", at)
	}
}

// keyword() evaluates a statement that begins with the given word. It returns false if no statement begins with this
// word.
func (p *parser) keyword(word string) bool {
	if p.Language == trace.Python && word == words.Among(word, "do then end loop repeat until unless sub fn "+
		"func fun function switch foreach new default begin proc when local my our const let var use throw case "+
		"catch rescue ensure") {
		return false
	}
	switch word {
	case "do":
		if p.Language == trace.Perl && p.tokenAt(1).Kind == lexer.Text {
			p.runScript(value.Text(p.tokenAt(1).Text))
		}
		p.pos++
	case "import":
		return p.parseImport()
	case "from":
		return p.parseFromImport()
	case "use":
		return p.Language == trace.Perl && p.skipPragma()
	case words.Among(word, "def function sub fn func fun proc defp"):
		if p.Language == trace.Groovy && word == "def" || word == "proc" && p.Language != trace.Compiled {
			return p.Language == trace.Groovy && p.groovyDefinition()
		}
		return p.definition() || p.skipDefinition()
	case "class", "defmodule":
		return p.skipDefinition()
	case "return", "yield":
		p.pos++
		if p.startsOperand() {
			p.returned = value.EitherOf(p.returned, p.expr())
		}
	case "for", "foreach":
		if word == "foreach" && p.Language == trace.Julia {
			return false
		}
		p.pos++
		p.bindLoopVariable()
	case "while", "until", "loop", "repeat":
		p.pos++
		p.noteEndlessLoop(word)
	case words.Among(word, "if elif elsif elseif unless switch case when else try except catch rescue"):
		p.Seen.Branches = true
		p.pos++
	case "const", "let", "var":
		p.pos++
		p.destructure()
	case "with":
		if !p.mockBlock() {
			p.pos++
		}
	case words.Among(word, "my our local global static final auto await then end in not and or del "+
		"raise assert async export default begin ensure finally BEGIN END throw new public private protected void"):
		p.pos++
	default:
		return false
	}
	return true
}

// skipDefinition skips the name and the parameters in the definition of a function, because they look like a call of
// the function.
func (p *parser) skipDefinition() bool {
	p.pos++
	for p.peek().Kind == lexer.Name || p.peek().IsOp(".") {
		p.pos++
	}
	if p.peek().IsOp("(") {
		p.skipParameters(p.closing(p.pos))
	}
	return true
}

// skipParameters skips parameters, and deletes the variables that have the same names.
func (p *parser) skipParameters(end int) {
	for ; p.pos < end && p.pos < len(p.toks); p.pos++ {
		if tok := p.peek(); tok.Kind == lexer.Name {
			delete(p.vars, tok.Text)
		}
	}
	p.accept(")")
}

// noteEndlessLoop records an endless loop if the condition of the current loop is always true.
func (p *parser) noteEndlessLoop(word string) {
	p.Seen.Branches = true
	i := 0
	for p.tokenAt(i).IsOp("(") {
		i++
	}
	tok := p.tokenAt(i)
	switch {
	case word == "loop", tok.IsWord("True"), tok.IsWord("true"), tok.IsWord("TRUE"), tok.IsWord("fork"),
		tok.Kind == lexer.Number && tok.Text != "0":
		p.Seen.Endless = true
	}
}

// bindLoopVariable sets the variable of a loop to the values of the list over which the loop iterates.
func (p *parser) bindLoopVariable() {
	p.Seen.Branches = true
	p.acceptWord("await")
	bracket := p.accept("(")
	p.acceptWord("const", "let", "var", "my")
	if p.peek().IsOp(";") && p.tokenAt(1).IsOp(";") {
		p.Seen.Endless = true
	}
	tok := p.peek()
	names := p.loopTargets()
	switch {
	case names != nil:
		p.conditions++
		p.bindTargets(names, p.expr())
		p.conditions--
	case tok.Kind == lexer.Name && p.Language == trace.Perl && p.tokenAt(1).IsOp("("):
		p.pos++
		p.bindTargets([]string{tok.Text}, p.expr())
	case bracket && p.Language == trace.Perl:
		p.pos--
		p.bindTargets([]string{"$_"}, p.expr())
	case bracket && p.Language == trace.PHP:
		list := p.expr()
		if p.acceptWord("as") {
			p.bindTargets(p.namesUpTo(")"), list)
		}
	}
}

// loopTargets returns the variables of a loop. They come before a word or operator such as "in". If there is no such
// word, loopTargets returns nil and does not move the parser.
func (p *parser) loopTargets() []string {
	var names []string
	start := p.pos
	for range 24 {
		tok := p.peek()
		p.pos++
		switch {
		case tok.IsWord("in"), tok.IsWord("of"), tok.IsOp("<-"),
			tok.IsOp(":") && p.Language == trace.Compiled && len(names) > 1:
			if tok.Text == ":" {
				names = names[len(names)-1:] // as in for (String c : list)
			}
			return names
		case tok.IsOp(":=") && p.peek().IsWord("range"):
			p.pos++
			return names
		case tok.Kind == lexer.Name:
			names = append(names, tok.Text)
		case !tok.IsOp(",") && !tok.IsOp("(") && !tok.IsOp(")") && !tok.IsOp("[") && !tok.IsOp("]") && !tok.IsOp("&"):
			p.realInFake = p.realInFake || tok.IsOp(".") // as in for fake.member in objects
			p.pos = start
			return nil
		}
	}
	p.pos = start
	return nil
}

func (p *parser) namesUpTo(op string) []string {
	var names []string
	for ; p.pos < len(p.toks) && !p.peek().IsOp(op) && p.peek().Kind != lexer.Line; p.pos++ {
		if p.peek().Kind == lexer.Name {
			names = append(names, p.peek().Text)
		}
	}
	return names
}

// bindPostfixLoop sets $_ if a loop follows the Perl statement that begins here, as in: system($_) for @list.
func (p *parser) bindPostfixLoop() {
	if p.Language != trace.Perl {
		return
	}
	for i := p.pos; i < len(p.toks) && i < p.pos+64; i++ {
		tok := &p.toks[i]
		switch {
		case tok.Kind == lexer.Line, tok.IsOp(";"), tok.IsOp("{"), tok.IsOp("}"):
			return
		case p.closing(i) < len(p.toks):
			i = p.closing(i)
		case (tok.IsWord("for") || tok.IsWord("foreach")) && i > p.pos:
			start := p.pos
			p.pos = i + 1
			p.bindTargets([]string{"$_"}, p.expr())
			p.pos = start
			return
		}
	}
}

// groovyDefinition parses a Groovy function such as def name(…) { … }.
func (p *parser) groovyDefinition() bool {
	p.pos++
	return p.methodDefinition() || true
}

// destructure() binds the names in a statement such as const { a, b: c } = expression.
func (p *parser) destructure() {
	if !p.peek().IsOp("{") {
		return
	}
	end := p.closing(p.pos)
	if end+1 >= len(p.toks) || !p.toks[end+1].IsOp("=") {
		return
	}
	names := p.toks[p.pos+1 : end]
	p.pos = end + 2
	from := p.expr()
	p.bindMembers(names, from)
}

// skipPragma skips a "use" statement of Perl, with the names that it imports.
func (p *parser) skipPragma() bool {
	for p.pos < len(p.toks) && p.peek().Kind != lexer.Line && !p.peek().IsOp(";") {
		p.pos++
	}
	return true
}
