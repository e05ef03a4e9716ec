package code

// function.go parses the functions that the code defines, and evaluates calls of these functions.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// maxCalls is the maximum depth of nested calls. The result of a deeper call is unknown.
const maxCalls = 4

func (p *parser) newFunction() *value.Function {
	return &value.Function{Tokens: p.toks, Match: p.match}
}

// define records a function that the code defines. Its body is evaluated when the code calls it, or at the end if the
// code never calls it.
func (p *parser) define(name string, f *value.Function) value.Value {
	f.Name = name
	p.functions = append(p.functions, f)
	v := &value.Data{Function: f}
	if name != "" && len(p.defined) < 4*trace.MaxFields {
		p.defined[name] = f
		p.vars[name] = v
	}
	return v
}

// methodNamed returns the function that the code defines with the name of a called method. It returns nil if there is
// none, or if the type of the object is known.
func (in *interpreter) methodNamed(self value.Value, name string) *value.Function {
	if self.Kind != value.NoObject || self.Known || self.List {
		return nil
	}
	return in.defined[name]
}

// constructor returns the constructor of a class that the code defines.
func (in *interpreter) constructor() *value.Function {
	for _, name := range [...]string{"__init__", "constructor", "initialize", "__construct"} {
		if f := in.defined[name]; f != nil {
			return f
		}
	}
	return nil
}

func (in *interpreter) callFunction(f *value.Function, args value.Value) value.Value {
	unknown := &value.Data{Taint: args.ItemTaint()}
	if f.Active || in.calls >= maxCalls || !in.spend(f.To-f.From+16) {
		return unknown
	}
	f.Called, f.Active = true, true
	in.calls++
	outer := in.returned
	in.returned = &value.Data{}
	names, before := in.bindParameters(f, args)
	p := &parser{interpreter: in, toks: f.Tokens[:f.To], match: f.Match, pos: f.From}
	switch {
	case f.Single:
		in.returned = p.expr()
	case in.Language == trace.Awk:
		p.awkStatements()
	}
	p.block(f.To)
	out := in.returned
	if out.IsEmpty() && (in.Language == trace.Ruby || in.Language == trace.Perl || in.Language == trace.Elixir) {
		out = p.last
	}
	for i, name := range names {
		in.restore(name, before[i])
	}
	in.returned = outer
	in.calls--
	f.Active = false
	if out.IsEmpty() {
		return unknown
	}
	return out
}

// callRemaining evaluates each function that the code defines but never calls, with unknown arguments. In a module, it
// evaluates only functions that the importing code mentions.
func (in *interpreter) callRemaining() {
	for i := 0; i < len(in.functions) && in.spend(1+len(in.importer)/16); i++ {
		f := in.functions[i]
		if !f.Called && (in.importer == "" || f.Name != "" && self.HasWord(in.importer, f.Name)) {
			in.callFunction(f, value.List())
		}
	}
}

// bindParameters sets the parameters of a function. It returns their names and the earlier values of the variables with
// these names.
func (in *interpreter) bindParameters(f *value.Function, args value.Value) (names []string, before []value.Value) {
	set := func(name string, v value.Value) {
		names, before = append(names, name), append(before, in.take(name))
		if !v.IsEmpty() {
			in.bind(name, v)
		}
	}
	params := f.Params
	if f.Method && len(params) > 0 {
		params = params[1:]
	}
	if in.Language == trace.Perl {
		set("@_", args)
		set("$_", args)
	}
	for i, param := range params {
		v, named := args.Entry(strings.TrimLeft(param.Name, "$@%:"))
		switch {
		case named:
		case param.Rest:
			v = value.List(args.Items[min(i, len(args.Items)):]...)
		case i < len(args.Items):
			v = args.Items[i]
		case param.DefaultAt > 0:
			p := &parser{interpreter: in, toks: f.Tokens, match: f.Match, pos: param.DefaultAt}
			v = p.expr()
		}
		if param.Members != nil {
			in.setMembers(&param, v, args, set)
			continue
		}
		set(param.Name, v)
	}
	return names, before
}

// setMembers sets the variables that a parameter such as { a, b } or [a, b] names. v is the argument for it.
func (in *interpreter) setMembers(param *value.Parameter, v, args value.Value, set func(name string, v value.Value)) {
	column := 0
	for i := range param.Members {
		tok := &param.Members[i]
		switch {
		case tok.Kind != lexer.Name:
		case param.Columns:
			part := value.ColumnOf(v, column)
			if len(args.Items) > 1 {
				part = value.Argument(args, column)
			}
			set(tok.Text, part)
			column++
		default:
			set(tok.Text, in.member(v, tok.Text))
		}
	}
}

// take deletes a variable and returns the value that it had, or nil.
func (in *interpreter) take(name string) value.Value {
	v := in.vars[name]
	delete(in.vars, name)
	return v
}

// restore gives a variable the value that take() returned for it.
func (in *interpreter) restore(name string, v value.Value) {
	delete(in.vars, name)
	if v != nil {
		in.vars[name] = v
	}
}

// function parses the parameters and the body of a function, and moves the parser after the body. The token at index
// opener is the word that begins the function. If there is no body, function returns nil.
func (p *parser) function(opener int) *value.Function {
	f := p.newFunction()
	start := p.pos
	switch {
	case p.peek().IsOp("("):
		end := p.closing(p.pos)
		f.Params = p.parameters(p.pos+1, end)
		p.pos = min(end+1, len(p.toks))
	case p.Language == trace.Ruby && p.peek().Kind == lexer.Name:
		for ; p.peek().Kind != lexer.Line && !p.peek().IsOp(";"); p.pos++ {
		}
		f.Params = p.parameters(start, p.pos)
	}
	f.Method = len(f.Params) > 0 && words.OneOf(f.Params[0].Name, "self cls this")
	if !p.body(f, opener) {
		p.pos = start
		return nil
	}
	return f
}

// body finds the body of the function f and moves the parser to the end of it. It returns false if there is no body.
func (p *parser) body(f *value.Function, opener int) bool {
	switch p.Language {
	case trace.Python:
		return p.indentedBody(f, opener)
	case trace.Ruby, trace.Lua, trace.Elixir, trace.Julia:
		if p.accept("=") {
			return p.expressionBody(f)
		}
		if p.closing(opener) >= len(p.toks) {
			return false
		}
		f.From, f.To = p.pos, p.closing(opener)
		p.pos = f.To + 1
		return true
	}
	for range 16 {
		tok := p.peek()
		switch {
		case tok.IsOp("{"):
			p.braces(f)
			return true
		case tok.IsOp("=>"), tok.IsOp("=") && p.Language == trace.Compiled:
			p.pos++
			return p.expressionBody(f)
		case tok.IsOp("("):
			p.pos = p.closing(p.pos)
		case tok.Kind == lexer.Line && p.Language != trace.PHP || tok.IsOp(";") || tok.IsOp(","):
			if p.Language == trace.Statistics {
				return p.expressionBody(f)
			}
			if tok.Kind != lexer.Line || !p.tokenAt(1).IsOp("{") {
				return false
			}
		case p.Language == trace.Statistics:
			return p.expressionBody(f)
		}
		p.pos++
	}
	return false
}

// braces parses a body in braces.
func (p *parser) braces(f *value.Function) {
	f.From, f.To = p.pos+1, p.closing(p.pos)
	p.pos = min(f.To+1, len(p.toks))
}

// expressionBody parses a body that is one expression or a block in braces.
func (p *parser) expressionBody(f *value.Function) bool {
	for p.peek().Kind == lexer.Line && p.pos < len(p.toks) {
		p.pos++
	}
	if p.peek().IsOp("{") {
		p.braces(f)
		return true
	}
	f.From, f.Single = p.pos, true
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
	f.To = p.pos
	return f.To > f.From
}

// indentedBody parses the body of a Python function, which is the rest of the line or the following lines with a larger
// indentation.
func (p *parser) indentedBody(f *value.Function, opener int) bool {
	for !p.peek().IsOp(":") {
		if p.peek().Kind == lexer.Line {
			return false
		}
		p.pos++
	}
	p.pos++
	f.From = p.pos
	indent, inline := p.indentOf(opener), p.peek().Kind != lexer.Line
	for ; p.pos < len(p.toks); p.pos++ {
		if p.peek().Kind == lexer.Line && (inline || p.tokenAt(1).Kind != lexer.Line && p.peek().Indent <= indent) {
			break
		}
	}
	f.To = p.pos
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

func (p *parser) parameters(from, to int) []value.Parameter {
	var out []value.Parameter
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
func (p *parser) parameter(from, to int) value.Parameter {
	var out value.Parameter
	for i := from; i < to; i++ {
		tok := &p.toks[i]
		switch {
		case tok.Kind == lexer.Name && (out.Name == "" || !p.goStyle):
			out.Name = tok.Text
		case tok.IsOp("...") && p.Language == trace.Lua:
			out.Name, out.Rest = "...", true
		case tok.IsOp("*"), tok.IsOp("**"), tok.IsOp("..."):
			out.Rest = out.Rest || p.Language != trace.Compiled || tok.Text == "..."
		case (tok.IsOp("{") || tok.IsOp("[")) && i == from && p.Language == trace.Script:
			end := min(p.closing(i), to)
			out.Members, out.Columns = p.toks[i+1:end], tok.IsOp("[")
			return out
		case tok.IsOp("="):
			out.DefaultAt = i + 1
			return out
		case tok.IsOp(":"):
			for ; i < to; i++ {
				if p.toks[i].IsOp("=") {
					out.DefaultAt = i + 1
					break
				}
			}
			return out
		}
	}
	return out
}

// blockParameters parses the parameters of a block, such as |a, b|.
func (p *parser) blockParameters() []value.Parameter {
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
		if p.Language == trace.Ruby && name != "" && p.tokenAt(1).Space && !p.tokenAt(1).IsOp("(") && name != "self" {
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
	if p.Language != trace.Script && p.Language != trace.Compiled && p.Language != trace.Groovy || !p.tokenAt(1).IsOp("(") {
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
		if p.Language == trace.Script && !p.toks[i].IsOp(":") && i > end+1 || p.toks[i].Kind != lexer.Name {
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
func (p *parser) literalFunction() (value.Value, bool) {
	start, tok := p.pos, p.peek()
	var f *value.Function
	switch {
	case tok.IsOp("(") && p.closing(p.pos)+1 < len(p.toks) && p.isArrow(&p.toks[p.closing(p.pos)+1]):
		f = p.arrow()
	case tok.IsOp("->") && p.Language == trace.Ruby, tok.IsOp("\\") && p.Language == trace.Statistics:
		p.pos++
		f = p.rubyLambda()
	case tok.Kind != lexer.Name:
	case p.isArrow(p.tokenAt(1)) && !p.tokenAt(1).IsOp("=>") || p.tokenAt(1).IsOp("=>") && p.Language == trace.Script:
		f = p.arrow()
	case tok.Text == "lambda" && p.Language == trace.Python:
		f = p.pythonLambda()
	case p.Language != trace.Python && p.Language != trace.Ruby &&
		tok.Text == words.Among(tok.Text, "function sub fn func"):
		p.pos++
		p.accept("*")
		if p.peek().Kind == lexer.Name && p.Language == trace.Script {
			p.pos++
		}
		f = p.closure(start)
	}
	if f == nil {
		p.pos = start
		return &value.Data{}, false
	}
	return p.define("", f), true
}

// isArrow reports whether the token is the operator between the parameters and the body of a lambda.
func (p *parser) isArrow(tok *lexer.Token) bool {
	switch p.Language {
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
func (p *parser) arrow() *value.Function {
	f := p.newFunction()
	if p.peek().IsOp("(") {
		f.Params = p.parameters(p.pos+1, p.closing(p.pos))
		p.pos = p.closing(p.pos) + 1
	} else {
		f.Params = []value.Parameter{{Name: p.peek().Text}}
		p.pos++
	}
	p.pos++
	if !p.expressionBody(f) {
		return nil
	}
	return f
}

// pythonLambda parses a function such as "lambda a, b: body".
func (p *parser) pythonLambda() *value.Function {
	from := p.pos + 1
	for p.pos < len(p.toks) && !p.peek().IsOp(":") && p.peek().Kind != lexer.Line {
		p.pos++
	}
	f := p.newFunction()
	f.Params = p.parameters(from, p.pos)
	p.accept(":")
	if !p.expressionBody(f) {
		return nil
	}
	return f
}

// closure parses a function without a name. The parser is after the word that begins it.
func (p *parser) closure(opener int) *value.Function {
	if p.Language == trace.Elixir {
		f := p.newFunction()
		f.From, f.To = p.pos, p.closing(opener)
		for p.pos < len(p.toks) && !p.peek().IsOp("->") {
			p.pos++
		}
		f.Params = p.parameters(f.From, min(p.pos, len(p.toks)))
		p.accept("->")
		if f.To >= len(p.toks) || p.pos > f.To {
			return nil
		}
		f.From = p.pos
		p.pos = f.To + 1
		return f
	}
	return p.function(opener)
}

// rubyLambda parses ->(a) { … } in Ruby and \(a) … in R. The parser is after the first operator.
func (p *parser) rubyLambda() *value.Function {
	f := p.newFunction()
	if p.peek().IsOp("(") {
		f.Params = p.parameters(p.pos+1, p.closing(p.pos))
		p.pos = min(p.closing(p.pos)+1, len(p.toks))
	}
	if p.Language == trace.Ruby && !p.peek().IsOp("{") && !p.peek().IsWord("do") {
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
func (p *parser) wordBlock(f *value.Function) *value.Function {
	end := p.closing(p.pos)
	p.pos++
	if end >= len(p.toks) {
		return nil
	}
	if p.peek().IsOp("|") {
		f.Params = p.blockParameters()
	}
	f.From, f.To = p.pos, end
	p.pos = end + 1
	return f
}

// blockArgument parses the block after a call in Ruby or Groovy. It returns false if there is none.
func (p *parser) blockArgument() (value.Value, bool) {
	start := p.pos
	f := p.newFunction()
	switch {
	case p.Language == trace.Ruby && p.peek().IsWord("do"):
		f = p.wordBlock(f)
	case p.peek().IsOp("{") && (p.Language == trace.Ruby || p.Language == trace.Groovy):
		end := p.closing(p.pos)
		p.pos++
		if p.peek().IsOp("|") {
			f.Params = p.blockParameters()
		}
		f.From, f.To = p.pos, end
		p.pos = min(end+1, len(p.toks))
		if f.From > f.To {
			f = nil
		}
	default:
		return &value.Data{}, false
	}
	if f == nil {
		p.pos = start
		return &value.Data{}, false
	}
	if f.Params == nil {
		f.Params = []value.Parameter{{Name: "it"}}
		f.From = p.numbered(f)
	}
	return p.define("", f), true
}

// numbered handles a block whose parameters are not between bars. Such a block uses the name "it" or
// "_1" for its parameter. In Groovy, its parameters may come before an arrow. numbered returns the start of
// the body.
func (p *parser) numbered(f *value.Function) int {
	for i := f.From; i < f.To; i++ {
		if p.toks[i].IsWord("_1") {
			f.Params[0].Name = "_1"
		}
	}
	if p.Language == trace.Groovy {
		for i := f.From; i < min(f.To, f.From+8); i++ {
			if p.toks[i].IsOp("->") {
				f.Params = p.parameters(f.From, i)
				return i + 1
			}
		}
	}
	return f.From
}
