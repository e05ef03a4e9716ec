package code

// lambda.go parses functions that have no name: lambdas, closures and blocks.

import (
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// literalFunction parses a lambda, a closure or an arrow function. It returns false if no such function begins here.
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

// arrow() parses functions such as "(a, b) => body" and "a => body".
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

// closure() parses a function without a name. The current token is the token after the word that begins the function.
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

// rubyLambda parses ->(a) { … } in Ruby and \(a) … in R. The current token is the token after the operator.
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

// blockParameters parses the parameters of a block, such as |a, b|.
func (p *parser) blockParameters() []value.Parameter {
	from := p.pos + 1
	for p.pos++; p.pos < len(p.toks) && !p.peek().IsOp("|"); p.pos++ {
	}
	params := p.parameters(from, min(p.pos, len(p.toks)))
	p.accept("|")
	return params
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

// blockArgument parses the block after a call in Ruby or Groovy. It returns false if there is no block.
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

// numbered() handles a block that has no parameters between bars. In the code of such a block, the name of the
// parameter is "it" or "_1". In Groovy, the block may have parameters before an arrow. The method returns the index at
// which the body starts.
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
