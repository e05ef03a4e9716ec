package code

// Functions that the code defines: how they are found, and what happens when the code calls them.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// maxCalls is the maximum depth of nested calls that are followed.
const maxCalls = 4

// function is a function, method, lambda or block of the code.
type function struct {
	parser *parser // the tokens of the body
	params []parameter
	// from and to are the indexes of the first token of the body and of the token after it.
	from, to int
	// method is set if the first parameter is the object, such as self.
	method bool
	// single is set if the body is one expression.
	single bool
	called bool
	active bool
}

// parameter is a parameter of a function.
type parameter struct {
	name string
	// defaultAt is the index of the parameter's default value, or 0 if it has none.
	defaultAt int
	// rest is set if the parameter takes all remaining arguments.
	rest bool
	// members are the names of { a, b } in JavaScript.
	members []token
	// columns is set if members are the names of [a, b].
	columns bool
}

// define records a function under its name. The function is evaluated when the code calls it. If the code never calls
// it, it is evaluated at the end.
func (p *parser) define(name string, f *function) value {
	p.functions = append(p.functions, f)
	v := &data{fn: f}
	if name != "" && len(p.defined) < 4*trace.MaxFields {
		p.defined[name] = f
		p.vars[name] = v
	}
	return v
}

// methodNamed returns the function that the code defines with a method's name, if the type of the object is unknown.
func (in *interpreter) methodNamed(self value, name string) *function {
	if self.kind != noObject || self.known || self.list {
		return nil
	}
	return in.defined[name]
}

// constructor returns the function that runs when the code creates an object of one of its own classes.
func (in *interpreter) constructor() *function {
	for _, name := range [...]string{"__init__", "constructor", "initialize", "__construct"} {
		if f := in.defined[name]; f != nil {
			return f
		}
	}
	return nil
}

// callFunction evaluates the body of a function with its arguments and returns its value.
func (in *interpreter) callFunction(f *function, args value) value {
	unknown := &data{taint: args.itemTaint()}
	if f.active || in.calls >= maxCalls || !in.spend(f.to-f.from+16) {
		return unknown
	}
	f.called, f.active = true, true
	in.calls++
	outer := in.returned
	in.returned = &data{}
	names, before := in.bindParameters(f, args)
	p := &parser{interpreter: in, toks: f.parser.toks[:f.to], match: f.parser.match, pos: f.from}
	switch {
	case f.single:
		in.returned = p.expr()
	case in.language == trace.Awk:
		p.awkStatements()
	}
	p.block(f.to)
	out := in.returned
	if out.isEmpty() && (in.language == trace.Ruby || in.language == trace.Perl || in.language == trace.Elixir) {
		out = p.last
	}
	for i, name := range names {
		in.restore(name, before[i])
	}
	in.returned = outer
	in.calls--
	f.active = false
	if out.isEmpty() {
		return unknown
	}
	return out
}

// callRemaining evaluates the functions that the code defines and never calls, with unknown arguments.
func (in *interpreter) callRemaining() {
	for i := 0; i < len(in.functions) && in.spend(1); i++ {
		if f := in.functions[i]; !f.called {
			in.callFunction(f, &data{list: true})
		}
	}
}

// bindParameters sets the parameters of a function, and returns their names and the values that they had before.
func (in *interpreter) bindParameters(f *function, args value) (names []string, before []value) {
	set := func(name string, v value) {
		names, before = append(names, name), append(before, in.take(name))
		if !v.isEmpty() {
			in.bind(name, v)
		}
	}
	params := f.params
	if f.method && len(params) > 0 {
		params = params[1:]
	}
	if in.language == trace.Perl {
		set("@_", args)
		set("$_", args)
	}
	for i, param := range params {
		v, named := args.entry(strings.TrimLeft(param.name, "$@%:"))
		switch {
		case named:
		case param.rest:
			v = &data{list: true, items: args.items[min(i, len(args.items)):]}
		case i < len(args.items):
			v = args.items[i]
		case param.defaultAt > 0:
			p := &parser{interpreter: in, toks: f.parser.toks, match: f.parser.match, pos: param.defaultAt}
			v = p.expr()
		}
		if param.members != nil {
			column := 0
			for j := range param.members {
				tok := &param.members[j]
				switch {
				case tok.kind != tokName:
				case param.columns:
					part := columnOf(v, column)
					if len(args.items) > 1 {
						part = argument(args, column)
					}
					set(tok.text, part)
					column++
				default:
					set(tok.text, in.member(v, tok.text))
				}
			}
			continue
		}
		set(param.name, v)
	}
	return names, before
}

// take removes a variable and returns its value, or nil.
func (in *interpreter) take(name string) value {
	v := in.vars[name]
	delete(in.vars, name)
	return v
}

// restore sets a variable to the value that take returned.
func (in *interpreter) restore(name string, v value) {
	delete(in.vars, name)
	if v != nil {
		in.vars[name] = v
	}
}

// function reads a function from its parameters to the end of its body, and leaves the parser after the body. opener is
// the index of the word that begins the function. If function finds no body, it returns nil.
func (p *parser) function(opener int) *function {
	f := &function{parser: p}
	start := p.pos
	switch {
	case p.peek().isOp("("):
		end := min(p.match[p.pos], len(p.toks))
		f.params = p.parameters(p.pos+1, end)
		p.pos = min(end+1, len(p.toks))
	case p.language == trace.Ruby && p.peek().kind == tokName:
		for ; p.peek().kind != tokLine && !p.peek().isOp(";"); p.pos++ {
		}
		f.params = p.parameters(start, p.pos)
	}
	f.method = len(f.params) > 0 && words.OneOf(f.params[0].name, "self", "cls", "this")
	if !p.body(f, opener) {
		p.pos = start
		return nil
	}
	return f
}

// body finds the body of a function and moves the parser to the end of the body.
func (p *parser) body(f *function, opener int) bool {
	switch p.language {
	case trace.Python:
		return p.indentedBody(f, opener)
	case trace.Ruby, trace.Lua, trace.Elixir, trace.Julia:
		if p.accept("=") {
			return p.expressionBody(f)
		}
		if p.match[opener] >= len(p.toks) {
			return false
		}
		f.from, f.to = p.pos, p.match[opener]
		p.pos = f.to + 1
		return true
	}
	for range 16 {
		tok := p.peek()
		switch {
		case tok.isOp("{"):
			f.from, f.to = p.pos+1, min(p.match[p.pos], len(p.toks))
			p.pos = min(f.to+1, len(p.toks))
			return true
		case tok.isOp("=>"), tok.isOp("=") && p.language == trace.Compiled:
			p.pos++
			return p.expressionBody(f)
		case tok.isOp("("):
			p.pos = min(p.match[p.pos], len(p.toks))
		case tok.kind == tokLine && p.language != trace.PHP || tok.isOp(";") || tok.isOp(","):
			if p.language == trace.Statistics {
				return p.expressionBody(f)
			}
			if tok.kind != tokLine || !p.at(1).isOp("{") {
				return false
			}
		case p.language == trace.Statistics:
			return p.expressionBody(f)
		}
		p.pos++
	}
	return false
}

// expressionBody reads a body that is one expression, or a block in braces.
func (p *parser) expressionBody(f *function) bool {
	for p.peek().kind == tokLine && p.pos < len(p.toks) {
		p.pos++
	}
	if p.peek().isOp("{") {
		f.from, f.to = p.pos+1, min(p.match[p.pos], len(p.toks))
		p.pos = min(f.to+1, len(p.toks))
		return true
	}
	f.from, f.single = p.pos, true
	for p.pos < len(p.toks) {
		tok := p.peek()
		if tok.kind == tokOp && tok.text == words.Among(tok.text, ", ; ) ] }") || tok.kind == tokLine && !p.at(1).isOp(".") {
			break
		}
		if match := p.match[p.pos]; match < len(p.toks) {
			p.pos = match
		}
		p.pos++
	}
	p.pos = min(p.pos, len(p.toks))
	f.to = p.pos
	return f.to > f.from
}

// indentedBody reads the body of a function of Python: the rest of the line, or the lines that are indented further.
func (p *parser) indentedBody(f *function, opener int) bool {
	for !p.peek().isOp(":") {
		if p.peek().kind == tokLine {
			return false
		}
		p.pos++
	}
	p.pos++
	f.from = p.pos
	indent, inline := p.indentOf(opener), p.peek().kind != tokLine
	for ; p.pos < len(p.toks); p.pos++ {
		if p.peek().kind == tokLine && (inline || p.at(1).kind != tokLine && p.peek().indent <= indent) {
			break
		}
	}
	f.to = p.pos
	return true
}

// indentOf returns how far the line with a token is indented.
func (p *parser) indentOf(at int) uint16 {
	for i := at; i >= 0; i-- {
		if p.toks[i].kind == tokLine {
			return p.toks[i].indent
		}
	}
	return 0
}

// parameters reads the parameters between two tokens.
func (p *parser) parameters(from, to int) []parameter {
	var out []parameter
	for start := from; start < to && len(out) < trace.MaxFields; {
		end := start
		for end < to && !p.toks[end].isOp(",") {
			if match := p.match[end]; match < to {
				end = match
			}
			end++
		}
		out = append(out, p.parameter(start, end))
		start = end + 1
	}
	return out
}

// parameter reads one parameter. Its name is the last word before a type or a value, and in Go the first word.
func (p *parser) parameter(from, to int) parameter {
	var out parameter
	for i := from; i < to; i++ {
		tok := &p.toks[i]
		switch {
		case tok.kind == tokName && (out.name == "" || !p.goStyle):
			out.name = tok.text
		case tok.isOp("...") && p.language == trace.Lua:
			out.name, out.rest = "...", true
		case tok.isOp("*"), tok.isOp("**"), tok.isOp("..."):
			out.rest = out.rest || p.language != trace.Compiled || tok.text == "..."
		case (tok.isOp("{") || tok.isOp("[")) && i == from && p.language == trace.Script:
			end := min(p.match[i], to)
			out.members, out.columns = p.toks[i+1:end], tok.isOp("[")
			return out
		case tok.isOp("="):
			out.defaultAt = i + 1
			return out
		case tok.isOp(":"):
			for ; i < to; i++ {
				if p.toks[i].isOp("=") {
					out.defaultAt = i + 1
					break
				}
			}
			return out
		}
	}
	return out
}

// blockParameters reads the |a, b| of a block.
func (p *parser) blockParameters() []parameter {
	from := p.pos + 1
	for p.pos++; p.pos < len(p.toks) && !p.peek().isOp("|"); p.pos++ {
	}
	params := p.parameters(from, min(p.pos, len(p.toks)))
	p.accept("|")
	return params
}

// definition reads the definition of a named function after a word such as def. It reports whether it found a body.
func (p *parser) definition() bool {
	start := p.pos
	p.pos++
	if p.peek().isOp("(") && p.goStyle { // the receiver of a method in Go
		p.pos = min(p.match[p.pos]+1, len(p.toks))
	}
	p.accept("*")
	p.accept("&")
	name := ""
	for p.peek().kind == tokName || name != "" && (p.peek().isOp(".") || p.peek().isOp(":")) {
		if p.peek().kind == tokName {
			name = p.peek().text
		}
		if p.language == trace.Ruby && name != "" && p.at(1).space && !p.at(1).isOp("(") && name != "self" {
			p.pos++
			break
		}
		p.pos++
	}
	if name == "" {
		p.pos = start
		return false
	}
	if f := p.function(start); f != nil {
		p.define(name, f)
		return true
	}
	p.pos = start
	return false
}

// methodDefinition reads name(…) { … }, the definition of a method in JavaScript or of a function in C. It reports
// whether there is one.
func (p *parser) methodDefinition() bool {
	if p.language != trace.Script && p.language != trace.Compiled && p.language != trace.Groovy || !p.at(1).isOp("(") {
		return false
	}
	end := p.match[p.pos+1]
	if end+1 >= len(p.toks) || p.precedesCondition() {
		return false
	}
	for i := end + 1; i < len(p.toks) && i < end+6; i++ {
		if p.toks[i].isOp("{") {
			name := p.peek().text
			p.pos++
			if f := p.function(p.pos); f != nil {
				p.define(name, f)
				return true
			}
			return false
		}
		if p.language == trace.Script && !p.toks[i].isOp(":") && i > end+1 || p.toks[i].kind != tokName {
			return false
		}
	}
	return false
}

// precedesCondition reports whether the current word is followed by a condition and a block.
func (p *parser) precedesCondition() bool {
	word := p.peek().text
	return word == words.Among(word, "if while for switch catch foreach with using lock match guard")
}

// literalFunction reads a lambda, a closure or an arrow function, and reports whether one begins here.
func (p *parser) literalFunction() (value, bool) {
	start, tok := p.pos, p.peek()
	var f *function
	switch {
	case tok.isOp("(") && p.match[p.pos]+1 < len(p.toks) && p.isArrow(&p.toks[p.match[p.pos]+1]):
		f = p.arrow()
	case tok.isOp("->") && p.language == trace.Ruby, tok.isOp("\\") && p.language == trace.Statistics:
		p.pos++
		f = p.rubyLambda()
	case tok.kind != tokName:
	case p.isArrow(p.at(1)) && !p.at(1).isOp("=>") || p.at(1).isOp("=>") && p.language == trace.Script:
		f = p.arrow()
	case tok.text == "lambda" && p.language == trace.Python:
		f = p.pythonLambda()
	case p.language != trace.Python && p.language != trace.Ruby && tok.text == words.Among(tok.text, "function sub fn func"):
		p.pos++
		p.accept("*")
		if p.peek().kind == tokName && p.language == trace.Script {
			p.pos++
		}
		f = p.closure(start)
	}
	if f == nil {
		p.pos = start
		return &data{}, false
	}
	return p.define("", f), true
}

// isArrow reports whether an operator follows the parameters of a lambda.
func (p *parser) isArrow(tok *token) bool {
	switch p.language {
	case trace.Script:
		return tok.isOp("=>")
	case trace.Julia, trace.Groovy:
		return tok.isOp("->")
	case trace.Compiled:
		return tok.isOp("->") || tok.isOp("=>")
	}
	return false
}

// arrow reads (a, b) => body and a => body.
func (p *parser) arrow() *function {
	f := &function{parser: p}
	if p.peek().isOp("(") {
		f.params = p.parameters(p.pos+1, p.match[p.pos])
		p.pos = p.match[p.pos] + 1
	} else {
		f.params = []parameter{{name: p.peek().text}}
		p.pos++
	}
	p.pos++
	if !p.expressionBody(f) {
		return nil
	}
	return f
}

// pythonLambda reads lambda a, b: body.
func (p *parser) pythonLambda() *function {
	from := p.pos + 1
	for p.pos < len(p.toks) && !p.peek().isOp(":") && p.peek().kind != tokLine {
		p.pos++
	}
	f := &function{parser: p, params: p.parameters(from, p.pos)}
	p.accept(":")
	if !p.expressionBody(f) {
		return nil
	}
	return f
}

// closure reads a function without a name after its first word.
func (p *parser) closure(opener int) *function {
	if p.language == trace.Elixir {
		f := &function{parser: p, from: p.pos, to: p.match[opener]}
		for p.pos < len(p.toks) && !p.peek().isOp("->") {
			p.pos++
		}
		f.params = p.parameters(f.from, min(p.pos, len(p.toks)))
		p.accept("->")
		if f.to >= len(p.toks) || p.pos > f.to {
			return nil
		}
		f.from = p.pos
		p.pos = f.to + 1
		return f
	}
	return p.function(opener)
}

// rubyLambda reads ->(a) { … } of Ruby and \(a) … of R after the first operator.
func (p *parser) rubyLambda() *function {
	f := &function{parser: p}
	if p.peek().isOp("(") {
		f.params = p.parameters(p.pos+1, p.match[p.pos])
		p.pos = min(p.match[p.pos]+1, len(p.toks))
	}
	if p.language == trace.Ruby && !p.peek().isOp("{") && !p.peek().isWord("do") {
		return nil
	}
	if p.peek().isWord("do") {
		return p.wordBlock(f)
	}
	if !p.expressionBody(f) {
		return nil
	}
	return f
}

// wordBlock reads do … end.
func (p *parser) wordBlock(f *function) *function {
	end := p.match[p.pos]
	p.pos++
	if end >= len(p.toks) {
		return nil
	}
	if p.peek().isOp("|") {
		f.params = p.blockParameters()
	}
	f.from, f.to = p.pos, end
	p.pos = end + 1
	return f
}

// blockArgument reads the block after a call in Ruby, Groovy and Swift, and reports whether there is one.
func (p *parser) blockArgument() (value, bool) {
	start := p.pos
	f := &function{parser: p}
	switch {
	case p.language == trace.Ruby && p.peek().isWord("do"):
		f = p.wordBlock(f)
	case p.peek().isOp("{") && (p.language == trace.Ruby || p.language == trace.Groovy):
		end := min(p.match[p.pos], len(p.toks))
		p.pos++
		if p.peek().isOp("|") {
			f.params = p.blockParameters()
		}
		f.from, f.to = p.pos, end
		p.pos = min(end+1, len(p.toks))
		if f.from > f.to {
			f = nil
		}
	default:
		return &data{}, false
	}
	if f == nil {
		p.pos = start
		return &data{}, false
	}
	if f.params == nil {
		f.params = []parameter{{name: "it"}}
		f.from = p.numbered(f)
	}
	return p.define("", f), true
}

// numbered finds the parameter of a block that declares none, which is named it or _1. It returns the start of the
// body.
func (p *parser) numbered(f *function) int {
	for i := f.from; i < f.to; i++ {
		if p.toks[i].isWord("_1") {
			f.params[0].name = "_1"
		}
	}
	if p.language == trace.Groovy {
		for i := f.from; i < min(f.to, f.from+8); i++ {
			if p.toks[i].isOp("->") {
				f.params = p.parameters(f.from, i)
				return i + 1
			}
		}
	}
	return f.from
}
