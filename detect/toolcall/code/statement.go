package code

// Statements, loops and definitions.

import (
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// statement evaluates one statement or part of a statement. It skips the words of control flow.
func (p *parser) statement() {
	tok := p.peek()
	if tok.kind == tokLine || tok.isOp(";") || tok.isOp(",") {
		p.pos++
		return
	}
	if tok.kind == tokName && !p.at(1).isOp("=") && !p.at(1).isOp(".") && p.keyword(tok.text) {
		return
	}
	before := p.pos
	v := p.expr()
	if p.pos == before {
		return
	}
	if p.peek().isWord("as") && p.at(1).kind == tokName {
		p.bind(p.at(1).text, v)
		p.pos += 2
	}
}

// keyword evaluates a word that begins a statement and reports whether it was one.
func (p *parser) keyword(word string) bool {
	switch word {
	case "import":
		return p.parseImport()
	case "from":
		return p.parseFromImport()
	case "use":
		return p.language == trace.Perl && p.skipPragma()
	case words.Among(word, "def function sub fn func class defmodule defp"):
		return p.skipDefinition()
	case "for", "foreach":
		p.pos++
		p.bindLoopVariable()
	case "while", "until", "loop", "repeat":
		p.pos++
		p.noteEndlessLoop(word)
	case words.Among(word, "if elif elsif elseif unless switch case when else try except catch rescue"):
		p.seen.branches = true
		p.pos++
	case "const", "let", "var":
		p.pos++
		p.destructure()
	case words.Among(word, "my our local global static final auto return yield await do then end in not and or del "+
		"raise assert async export default begin ensure finally with BEGIN END throw new"):
		p.pos++
	default:
		return false
	}
	return true
}

// skipDefinition skips the name and parameters of a function, which would otherwise look like a call.
func (p *parser) skipDefinition() bool {
	p.pos++
	for p.peek().kind == tokName || p.peek().isOp(".") {
		p.pos++
	}
	if p.peek().isOp("(") {
		p.skipParameters(p.match[p.pos])
	}
	return true
}

// skipParameters skips parameters and unbinds their names.
func (p *parser) skipParameters(end int) {
	for ; p.pos < end && p.pos < len(p.toks); p.pos++ {
		if tok := p.peek(); tok.kind == tokName {
			delete(p.vars, tok.text)
		}
	}
	p.accept(")")
}

// noteEndlessLoop records a loop whose condition is always true.
func (p *parser) noteEndlessLoop(word string) {
	p.seen.branches = true
	i := 0
	for p.at(i).isOp("(") {
		i++
	}
	tok := p.at(i)
	switch {
	case word == "loop", tok.isWord("True"), tok.isWord("true"), tok.isWord("TRUE"), tok.isWord("fork"),
		tok.kind == tokNumber && tok.text != "0":
		p.seen.endless = true
	}
}

// bindLoopVariable binds the variable of a loop to the list that the loop iterates over.
func (p *parser) bindLoopVariable() {
	p.seen.branches = true
	bracket := p.accept("(")
	p.acceptWord("const", "let", "var", "my")
	if p.peek().isOp(";") && p.at(1).isOp(";") {
		p.seen.endless = true
	}
	tok := p.peek()
	switch next := p.at(1); {
	case tok.kind == tokName && (next.isWord("in") || next.isWord("of")):
		p.pos += 2
		p.bindItem(tok.text, p.expr())
	case tok.kind == tokName && p.language == trace.Perl && next.isOp("("):
		p.pos++
		p.bindItem(tok.text, p.expr())
	case bracket && p.language == trace.Perl:
		p.pos--
		p.bindItem("$_", p.expr())
	case bracket && p.language == trace.PHP:
		list := p.expr()
		if p.acceptWord("as") {
			p.bindItem(p.peek().text, list)
		}
	}
}

// bindItem binds the variable of a loop to all items at once.
func (in *interpreter) bindItem(name string, list value) {
	if single := in.language == trace.Perl && list.known; !list.list && !single {
		list = value{taint: list.taint}
	}
	in.bind(name, list)
}

// destructure binds the names of const { a, b: c } = expression.
func (p *parser) destructure() {
	if !p.peek().isOp("{") {
		return
	}
	end := p.match[p.pos]
	if end+1 >= len(p.toks) || !p.toks[end+1].isOp("=") {
		return
	}
	names := p.toks[p.pos+1 : end]
	p.pos = end + 2
	from := p.expr()
	p.bindMembers(names, from)
}

// skipPragma skips Perl's use statement and the names that it imports.
func (p *parser) skipPragma() bool {
	for p.pos < len(p.toks) && p.peek().kind != tokLine && !p.peek().isOp(";") {
		p.pos++
	}
	return true
}
