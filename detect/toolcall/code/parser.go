package code

// parser.go has the parser, which evaluates the tokens of a source text.

import (
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// parser reads the tokens of one source text and evaluates the code while it reads.
type parser struct {
	*interpreter
	toks []token
	// match maps the index of each opening bracket to the index of its closing bracket. It also maps the index of each
	// word that begins a block to the index of the block's end.
	match []int
	pos   int
	// conditions is above zero while the parser is in the condition of a Python expression such as "x if y else z", or
	// in the list of a comprehension.
	conditions int
	last       value
}

func (in *interpreter) parse(src string) *parser {
	toks := lex(src, in.language)
	in.trace.Spend(stepsOfToken * len(toks))
	match := matchBrackets(toks)
	matchEnds(toks, match, in.language)
	return &parser{interpreter: in, toks: toks, match: match}
}

// matchBrackets maps the index of each opening bracket to the index of its closing bracket. An unclosed bracket ends at
// the end of the source.
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

// matchEnds adds the blocks of Ruby, Lua, Elixir and Julia to match. It maps the index of the word that begins a block
// to the index of the word "end".
func matchEnds(toks []token, match []int, lang trace.Language) {
	if lang != trace.Ruby && lang != trace.Lua && lang != trace.Elixir && lang != trace.Julia {
		return
	}
	var open []int
	loop := false // set if the line begins with while, until or for, whose "do" begins no other block
	for i := range toks {
		tok := &toks[i]
		first := i == 0 || toks[i-1].kind == tokLine || toks[i-1].kind == tokOp && !toks[i-1].isOp(".") ||
			toks[i-1].isWord("do") || toks[i-1].isWord("then") || toks[i-1].isWord("else")
		switch {
		case tok.kind == tokLine || tok.isOp(";"):
			loop = false
		case tok.kind != tokName:
		case tok.text == "end":
			if len(open) > 0 && (i == 0 || !toks[i-1].isOp(".")) {
				match[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		case tok.text == "def" && isEndless(toks, match, i):
		case tok.text == "do":
			if !loop || lang == trace.Lua {
				open = append(open, i)
			}
			loop = false
		case beginsBlock(tok.text, lang, first):
			open = append(open, i)
			loop = loop || tok.text == "while" || tok.text == "until" || tok.text == "for"
		}
	}
}

// isEndless reports whether a Ruby method has no word "end", as in "def name(a) = value".
func isEndless(toks []token, match []int, at int) bool {
	if at+2 >= len(toks) {
		return false
	}
	next := at + 2
	if toks[next].isOp("(") {
		next = match[next] + 1
	}
	return next < len(toks) && toks[next].isOp("=")
}

// beginsBlock reports whether a word begins a block that the word "end" closes. It does not cover the word "do". In
// Ruby, a word such as "if" begins a block only if it is the first word of a statement.
func beginsBlock(word string, lang trace.Language, first bool) bool {
	switch lang {
	case trace.Lua:
		return word == "function" || word == "if"
	case trace.Elixir:
		return word == "fn"
	case trace.Julia:
		return word == "function" || first && word == words.Among(word, "begin for while if let try module struct quote")
	}
	return first && word == words.Among(word, "def class module begin case if unless while until for")
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

// closing returns the index of the bracket or the word that closes the one at index i. If nothing closes it, or if
// the body of a function ends earlier, closing returns the index after the last token.
func (p *parser) closing(i int) int { return min(p.match[i], len(p.toks)) }

func (p *parser) peek() *token { return p.tokenAt(0) }

// tokenAt returns the token i places after the current one. Outside the source, it returns a line end.
func (p *parser) tokenAt(i int) *token {
	if p.pos+i >= 0 && p.pos+i < len(p.toks) {
		return &p.toks[p.pos+i]
	}
	return &token{kind: tokLine}
}

// accept skips the current token if it is the operator op. Otherwise, it returns false.
func (p *parser) accept(op string) bool {
	if p.peek().isOp(op) {
		p.pos++
		return true
	}
	return false
}

// acceptWord skips the current token if it is one of the words. Otherwise, it returns false.
func (p *parser) acceptWord(names ...string) bool {
	for _, name := range names {
		if p.peek().isWord(name) {
			p.pos++
			return true
		}
	}
	return false
}
