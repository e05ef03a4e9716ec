package code

// parser.go contains the parser, which evaluates the tokens of a source text.

import (
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
)

// parser reads the tokens of one source text and evaluates the code while it reads.
type parser struct {
	*interpreter
	toks []lexer.Token
	// The field "match" maps the index of each opening bracket to the index of its closing bracket. It also maps the
	// index of each word that begins a block to the index of the block's end.
	match []int
	pos   int
	// The field "conditions" is greater than zero while the parser is in one of two places. One place is the condition
	// of a Python expression such as "x if y else z". The other place is the list of a comprehension.
	conditions int
	last       value.Value
}

func (in *interpreter) parse(src string) *parser {
	toks := lexer.Tokens(src, in.Language)
	in.Trace.Spend(stepsOfToken * len(toks))
	return &parser{interpreter: in, toks: toks, match: lexer.Match(toks, in.Language)}
}

func (p *parser) block(end int) {
	for p.pos < end && p.spend(1) {
		before := p.pos
		p.statement()
		if p.pos == before {
			p.pos++
		}
	}
}

// closing() returns the index of the token that closes the bracket or the block at index i. If there is no such token,
// or if the body of a function ends earlier, it returns the index after the last token.
func (p *parser) closing(i int) int { return min(p.match[i], len(p.toks)) }

func (p *parser) peek() *lexer.Token { return p.tokenAt(0) }

// tokenAt returns the token that is i tokens after the current token. Outside the source, it returns a line end.
func (p *parser) tokenAt(i int) *lexer.Token {
	if p.pos+i >= 0 && p.pos+i < len(p.toks) {
		return &p.toks[p.pos+i]
	}
	return &lexer.Token{Kind: lexer.Line}
}

// accept() skips the current token and returns true if this token is the operator op. Otherwise, it returns false.
func (p *parser) accept(op string) bool {
	if p.peek().IsOp(op) {
		p.pos++
		return true
	}
	return false
}

// acceptWord skips the current token and returns true if this token is one of the given words. Otherwise, it returns
// false.
func (p *parser) acceptWord(names ...string) bool {
	for _, name := range names {
		if p.peek().IsWord(name) {
			p.pos++
			return true
		}
	}
	return false
}
