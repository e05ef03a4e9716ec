package code

// function.go parses the functions that the code defines, and evaluates calls of these functions.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// maxCalls is the maximum depth of nested calls. The result of a deeper call is unknown.
const maxCalls = 4

// function is a function, method, lambda or block that the code defines.
type function struct {
	name   string  // empty if the function has none
	parser *parser // the tokens of the body
	params []parameter
	// The body is parser.toks[from:to].
	from, to int
	// method is set if the first parameter is the object itself, such as "self" in Python.
	method bool
	// single is set if the body is one expression.
	single bool
	called bool
	active bool
}

type parameter struct {
	name string
	// defaultAt is the index of the parameter's default value, or 0 if it has none.
	defaultAt int
	// rest is set if the parameter takes all the remaining arguments.
	rest bool
	// members holds the names in a JavaScript parameter such as { a, b } or [a, b].
	members []lexer.Token
	// columns is set if the names in members are in square brackets.
	columns bool
}

// define records a function that the code defines. Its body is evaluated when the code calls it, or at the end if the
// code never calls it.
func (p *parser) define(name string, f *function) value {
	f.name = name
	p.functions = append(p.functions, f)
	v := &data{fn: f}
	if name != "" && len(p.defined) < 4*trace.MaxFields {
		p.defined[name] = f
		p.vars[name] = v
	}
	return v
}

// methodNamed returns the function that the code defines with the name of a called method. It returns nil if there is
// none, or if the type of the object is known.
func (in *interpreter) methodNamed(self value, name string) *function {
	if self.kind != noObject || self.known || self.list {
		return nil
	}
	return in.defined[name]
}

// constructor returns the constructor of a class that the code defines.
func (in *interpreter) constructor() *function {
	for _, name := range [...]string{"__init__", "constructor", "initialize", "__construct"} {
		if f := in.defined[name]; f != nil {
			return f
		}
	}
	return nil
}

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

// callRemaining evaluates each function that the code defines but never calls, with unknown arguments. In a module, it
// evaluates only functions that the importing code mentions.
func (in *interpreter) callRemaining() {
	for i := 0; i < len(in.functions) && in.spend(1+len(in.importer)/16); i++ {
		f := in.functions[i]
		if !f.called && (in.importer == "" || f.name != "" && self.HasWord(in.importer, f.name)) {
			in.callFunction(f, &data{list: true})
		}
	}
}

// bindParameters sets the parameters of a function. It returns their names and the earlier values of the variables with
// these names.
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
			in.setMembers(&param, v, args, set)
			continue
		}
		set(param.name, v)
	}
	return names, before
}

// setMembers sets the variables that a parameter such as { a, b } or [a, b] names. v is the argument for it.
func (in *interpreter) setMembers(param *parameter, v, args value, set func(name string, v value)) {
	column := 0
	for i := range param.members {
		tok := &param.members[i]
		switch {
		case tok.Kind != lexer.Name:
		case param.columns:
			part := columnOf(v, column)
			if len(args.items) > 1 {
				part = argument(args, column)
			}
			set(tok.Text, part)
			column++
		default:
			set(tok.Text, in.member(v, tok.Text))
		}
	}
}

// take deletes a variable and returns the value that it had, or nil.
func (in *interpreter) take(name string) value {
	v := in.vars[name]
	delete(in.vars, name)
	return v
}

// restore gives a variable the value that take() returned for it.
func (in *interpreter) restore(name string, v value) {
	delete(in.vars, name)
	if v != nil {
		in.vars[name] = v
	}
}

// function parses the parameters and the body of a function, and moves the parser after the body. The token at index
// opener is the word that begins the function. If there is no body, function returns nil.
func (p *parser) function(opener int) *function {
	f := &function{parser: p}
	start := p.pos
	switch {
	case p.peek().IsOp("("):
		end := p.closing(p.pos)
		f.params = p.parameters(p.pos+1, end)
		p.pos = min(end+1, len(p.toks))
	case p.language == trace.Ruby && p.peek().Kind == lexer.Name:
		for ; p.peek().Kind != lexer.Line && !p.peek().IsOp(";"); p.pos++ {
		}
		f.params = p.parameters(start, p.pos)
	}
	f.method = len(f.params) > 0 && words.OneOf(f.params[0].name, "self cls this")
	if !p.body(f, opener) {
		p.pos = start
		return nil
	}
	return f
}

// body finds the body of the function f and moves the parser to the end of it. It returns false if there is no body.
func (p *parser) body(f *function, opener int) bool {
	switch p.language {
	case trace.Python:
		return p.indentedBody(f, opener)
	case trace.Ruby, trace.Lua, trace.Elixir, trace.Julia:
		if p.accept("=") {
			return p.expressionBody(f)
		}
		if p.closing(opener) >= len(p.toks) {
			return false
		}
		f.from, f.to = p.pos, p.closing(opener)
		p.pos = f.to + 1
		return true
	}
	for range 16 {
		tok := p.peek()
		switch {
		case tok.IsOp("{"):
			p.braces(f)
			return true
		case tok.IsOp("=>"), tok.IsOp("=") && p.language == trace.Compiled:
			p.pos++
			return p.expressionBody(f)
		case tok.IsOp("("):
			p.pos = p.closing(p.pos)
		case tok.Kind == lexer.Line && p.language != trace.PHP || tok.IsOp(";") || tok.IsOp(","):
			if p.language == trace.Statistics {
				return p.expressionBody(f)
			}
			if tok.Kind != lexer.Line || !p.tokenAt(1).IsOp("{") {
				return false
			}
		case p.language == trace.Statistics:
			return p.expressionBody(f)
		}
		p.pos++
	}
	return false
}

// braces parses a body in braces.
func (p *parser) braces(f *function) {
	f.from, f.to = p.pos+1, p.closing(p.pos)
	p.pos = min(f.to+1, len(p.toks))
}

// expressionBody parses a body that is one expression or a block in braces.
func (p *parser) expressionBody(f *function) bool {
	for p.peek().Kind == lexer.Line && p.pos < len(p.toks) {
		p.pos++
	}
	if p.peek().IsOp("{") {
		p.braces(f)
		return true
	}
	f.from, f.single = p.pos, true
	for p.pos < len(p.toks) {
		tok := p.peek()
		if tok.Kind == lexer.Op && tok.Text == words.Among(tok.Text, ", ; ) ] }") || tok.Kind == lexer.Line && !p.tokenAt(1).IsOp(".") {
			break
		}
		if match := p.closing(p.pos); match < len(p.toks) {
			p.pos = match
		}
		p.pos++
	}
	p.pos = min(p.pos, len(p.toks))
	f.to = p.pos
	return f.to > f.from
}

// indentedBody parses the body of a Python function, which is the rest of the line or the following lines with a larger
// indentation.
func (p *parser) indentedBody(f *function, opener int) bool {
	for !p.peek().IsOp(":") {
		if p.peek().Kind == lexer.Line {
			return false
		}
		p.pos++
	}
	p.pos++
	f.from = p.pos
	indent, inline := p.indentOf(opener), p.peek().Kind != lexer.Line
	for ; p.pos < len(p.toks); p.pos++ {
		if p.peek().Kind == lexer.Line && (inline || p.tokenAt(1).Kind != lexer.Line && p.peek().Indent <= indent) {
			break
		}
	}
	f.to = p.pos
	return true
}

func (p *parser) indentOf(at int) uint16 {
	for i := at; i >= 0; i-- {
		if p.toks[i].Kind == lexer.Line {
			return p.toks[i].Indent
		}
	}
	return 0
}

func (p *parser) parameters(from, to int) []parameter {
	var out []parameter
	for start := from; start < to && len(out) < trace.MaxFields; {
		end := start
		for end < to && !p.toks[end].IsOp(",") {
			if match := p.closing(end); match < to {
				end = match
			}
			end++
		}
		out = append(out, p.parameter(start, end))
		start = end + 1
	}
	return out
}

// parameter parses one parameter. Its name is the last word before a type or a value. In Go, it is the first word.
func (p *parser) parameter(from, to int) parameter {
	var out parameter
	for i := from; i < to; i++ {
		tok := &p.toks[i]
		switch {
		case tok.Kind == lexer.Name && (out.name == "" || !p.goStyle):
			out.name = tok.Text
		case tok.IsOp("...") && p.language == trace.Lua:
			out.name, out.rest = "...", true
		case tok.IsOp("*"), tok.IsOp("**"), tok.IsOp("..."):
			out.rest = out.rest || p.language != trace.Compiled || tok.Text == "..."
		case (tok.IsOp("{") || tok.IsOp("[")) && i == from && p.language == trace.Script:
			end := min(p.closing(i), to)
			out.members, out.columns = p.toks[i+1:end], tok.IsOp("[")
			return out
		case tok.IsOp("="):
			out.defaultAt = i + 1
			return out
		case tok.IsOp(":"):
			for ; i < to; i++ {
				if p.toks[i].IsOp("=") {
					out.defaultAt = i + 1
					break
				}
			}
			return out
		}
	}
	return out
}

// blockParameters parses the parameters of a block, such as |a, b|.
func (p *parser) blockParameters() []parameter {
	from := p.pos + 1
	for p.pos++; p.pos < len(p.toks) && !p.peek().IsOp("|"); p.pos++ {
	}
	params := p.parameters(from, min(p.pos, len(p.toks)))
	p.accept("|")
	return params
}

// definition parses a named function after a word such as "def". It reports whether the function has a body.
func (p *parser) definition() bool {
	start := p.pos
	p.pos++
	if p.peek().IsOp("(") && p.goStyle { // the receiver of a method in Go
		p.pos = min(p.closing(p.pos)+1, len(p.toks))
	}
	p.accept("*")
	p.accept("&")
	name := ""
	for p.peek().Kind == lexer.Name || name != "" && (p.peek().IsOp(".") || p.peek().IsOp(":")) {
		if p.peek().Kind == lexer.Name {
			name = p.peek().Text
		}
		if p.language == trace.Ruby && name != "" && p.tokenAt(1).Space && !p.tokenAt(1).IsOp("(") && name != "self" {
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

// methodDefinition parses a function such as name(…) { … }, which is a method in JavaScript or a function in C. It
// returns false if the next tokens are something else.
func (p *parser) methodDefinition() bool {
	if p.language != trace.Script && p.language != trace.Compiled && p.language != trace.Groovy || !p.tokenAt(1).IsOp("(") {
		return false
	}
	end := p.closing(p.pos + 1)
	if end+1 >= len(p.toks) || p.precedesCondition() {
		return false
	}
	for i := end + 1; i < len(p.toks) && i < end+6; i++ {
		if p.toks[i].IsOp("{") {
			name := p.peek().Text
			p.pos++
			if f := p.function(p.pos); f != nil {
				p.define(name, f)
				return true
			}
			return false
		}
		if p.language == trace.Script && !p.toks[i].IsOp(":") && i > end+1 || p.toks[i].Kind != lexer.Name {
			return false
		}
	}
	return false
}

// precedesCondition reports whether the current word begins a statement such as "if (…) { … }", which looks like a
// definition.
func (p *parser) precedesCondition() bool {
	word := p.peek().Text
	return word == words.Among(word, "if while for switch catch foreach with using lock match guard")
}

// literalFunction parses a lambda, a closure or an arrow function. It returns false if none begins here.
func (p *parser) literalFunction() (value, bool) {
	start, tok := p.pos, p.peek()
	var f *function
	switch {
	case tok.IsOp("(") && p.closing(p.pos)+1 < len(p.toks) && p.isArrow(&p.toks[p.closing(p.pos)+1]):
		f = p.arrow()
	case tok.IsOp("->") && p.language == trace.Ruby, tok.IsOp("\\") && p.language == trace.Statistics:
		p.pos++
		f = p.rubyLambda()
	case tok.Kind != lexer.Name:
	case p.isArrow(p.tokenAt(1)) && !p.tokenAt(1).IsOp("=>") || p.tokenAt(1).IsOp("=>") && p.language == trace.Script:
		f = p.arrow()
	case tok.Text == "lambda" && p.language == trace.Python:
		f = p.pythonLambda()
	case p.language != trace.Python && p.language != trace.Ruby &&
		tok.Text == words.Among(tok.Text, "function sub fn func"):
		p.pos++
		p.accept("*")
		if p.peek().Kind == lexer.Name && p.language == trace.Script {
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

// isArrow reports whether the token is the operator between the parameters and the body of a lambda.
func (p *parser) isArrow(tok *lexer.Token) bool {
	switch p.language {
	case trace.Script:
		return tok.IsOp("=>")
	case trace.Julia, trace.Groovy:
		return tok.IsOp("->")
	case trace.Compiled:
		return tok.IsOp("->") || tok.IsOp("=>")
	}
	return false
}

// arrow parses functions such as "(a, b) => body" and "a => body".
func (p *parser) arrow() *function {
	f := &function{parser: p}
	if p.peek().IsOp("(") {
		f.params = p.parameters(p.pos+1, p.closing(p.pos))
		p.pos = p.closing(p.pos) + 1
	} else {
		f.params = []parameter{{name: p.peek().Text}}
		p.pos++
	}
	p.pos++
	if !p.expressionBody(f) {
		return nil
	}
	return f
}

// pythonLambda parses a function such as "lambda a, b: body".
func (p *parser) pythonLambda() *function {
	from := p.pos + 1
	for p.pos < len(p.toks) && !p.peek().IsOp(":") && p.peek().Kind != lexer.Line {
		p.pos++
	}
	f := &function{parser: p, params: p.parameters(from, p.pos)}
	p.accept(":")
	if !p.expressionBody(f) {
		return nil
	}
	return f
}

// closure parses a function without a name. The parser is after the word that begins it.
func (p *parser) closure(opener int) *function {
	if p.language == trace.Elixir {
		f := &function{parser: p, from: p.pos, to: p.closing(opener)}
		for p.pos < len(p.toks) && !p.peek().IsOp("->") {
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

// rubyLambda parses ->(a) { … } in Ruby and \(a) … in R. The parser is after the first operator.
func (p *parser) rubyLambda() *function {
	f := &function{parser: p}
	if p.peek().IsOp("(") {
		f.params = p.parameters(p.pos+1, p.closing(p.pos))
		p.pos = min(p.closing(p.pos)+1, len(p.toks))
	}
	if p.language == trace.Ruby && !p.peek().IsOp("{") && !p.peek().IsWord("do") {
		return nil
	}
	if p.peek().IsWord("do") {
		return p.wordBlock(f)
	}
	if !p.expressionBody(f) {
		return nil
	}
	return f
}

// wordBlock parses a block between the words "do" and "end".
func (p *parser) wordBlock(f *function) *function {
	end := p.closing(p.pos)
	p.pos++
	if end >= len(p.toks) {
		return nil
	}
	if p.peek().IsOp("|") {
		f.params = p.blockParameters()
	}
	f.from, f.to = p.pos, end
	p.pos = end + 1
	return f
}

// blockArgument parses the block after a call in Ruby or Groovy. It returns false if there is none.
func (p *parser) blockArgument() (value, bool) {
	start := p.pos
	f := &function{parser: p}
	switch {
	case p.language == trace.Ruby && p.peek().IsWord("do"):
		f = p.wordBlock(f)
	case p.peek().IsOp("{") && (p.language == trace.Ruby || p.language == trace.Groovy):
		end := p.closing(p.pos)
		p.pos++
		if p.peek().IsOp("|") {
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

// numbered handles a block whose parameters are not between bars. Such a block uses the name "it" or
// "_1" for its parameter. In Groovy, its parameters may come before an arrow. numbered returns the start of
// the body.
func (p *parser) numbered(f *function) int {
	for i := f.from; i < f.to; i++ {
		if p.toks[i].IsWord("_1") {
			f.params[0].name = "_1"
		}
	}
	if p.language == trace.Groovy {
		for i := f.from; i < min(f.to, f.from+8); i++ {
			if p.toks[i].IsOp("->") {
				f.params = p.parameters(f.from, i)
				return i + 1
			}
		}
	}
	return f.from
}
