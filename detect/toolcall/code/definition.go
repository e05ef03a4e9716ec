package code

// definition.go parses the definitions of functions that have names.

import (
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// function() parses the parameters and the body of a function, and moves the parser to the token after the body. The
// parameter "opener" is the index of the token that begins the function, such as "def". If there is no body, the
// method returns nil.
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

// body() finds the body of the function f and moves the parser to the end of this body. It returns false if there is no
// body.
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

// braces() parses a body in braces.
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

// parameter() parses one parameter of a function. The name of the parameter is the last word before a type or a value.
// In Go, the name is the first word.
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

// definition() parses a named function after a word such as "def". It reports whether the function has a body.
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

// methodDefinition parses a function such as name(…) { … }. Such a text is a method in JavaScript or a function in C.
// methodDefinition returns false if the next tokens are something else.
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

// precedesCondition reports whether the current word begins a statement such as "if (…) { … }". Such a statement looks
// like the definition of a function.
func (p *parser) precedesCondition() bool {
	word := p.peek().Text
	return word == words.Among(word, "if while for switch catch foreach with using lock match guard")
}
