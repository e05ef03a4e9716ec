package code

// The parser: a position in the tokens of a source text.

// parser reads the tokens of one source text and evaluates them as it reads.
type parser struct {
	*interpreter
	toks []token
	// match maps the index of each opening bracket to the index of its closing bracket.
	match []int
	pos   int
}

func (in *interpreter) parse(src string) *parser {
	toks := lex(src, in.language)
	return &parser{interpreter: in, toks: toks, match: matchBrackets(toks)}
}

// matchBrackets returns the index of the closing bracket for each opening one. An unclosed bracket closes at the end.
func matchBrackets(toks []token) []int {
	match := make([]int, len(toks))
	var open []int
	for i := range toks {
		match[i] = len(toks)
		if toks[i].kind != tokOp {
			continue
		}
		switch toks[i].text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if len(open) > 0 {
				match[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		}
	}
	return match
}

// block evaluates statements up to the token with the index end.
func (p *parser) block(end int) {
	for p.pos < end && p.spend(1) {
		before := p.pos
		p.statement()
		if p.pos == before {
			p.pos++
		}
	}
}

func (p *parser) peek() token { return p.at(0) }

// at returns the token at an offset from the current one, or a line end outside the source.
func (p *parser) at(i int) token {
	if p.pos+i >= 0 && p.pos+i < len(p.toks) {
		return p.toks[p.pos+i]
	}
	return token{kind: tokLine}
}

// accept skips an operator and reports whether it was the current token.
func (p *parser) accept(op string) bool {
	if p.peek().isOp(op) {
		p.pos++
		return true
	}
	return false
}

// acceptWord skips one of several words and reports whether one of them was the current token.
func (p *parser) acceptWord(names ...string) bool {
	for _, name := range names {
		if p.peek().isWord(name) {
			p.pos++
			return true
		}
	}
	return false
}
