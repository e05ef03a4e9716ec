package lexer

// match.go finds the end of each bracket and block.

import (
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Match maps the index of each opening bracket to the index of its closing bracket. It also maps the index of each
// word that begins a block to the index of the block's end.
func Match(toks []Token, lang trace.Language) []int {
	match := matchBrackets(toks)
	matchEnds(toks, match, lang)
	return match
}

// matchBrackets maps the index of each opening bracket to the index of its closing bracket. An unclosed bracket ends at
// the end of the source.
func matchBrackets(toks []Token) []int {
	match := make([]int, len(toks))
	var open []int
	for i := range toks {
		match[i] = len(toks)
		if toks[i].Kind != Op {
			continue
		}
		switch toks[i].Text {
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

// matchEnds adds the blocks of Ruby, Lua, Elixir and Julia to the parameter "match". For each block, it maps the index
// of the first word to the index of the word "end".
func matchEnds(toks []Token, match []int, lang trace.Language) {
	if lang != trace.Ruby && lang != trace.Lua && lang != trace.Elixir && lang != trace.Julia {
		return
	}
	var open []int
	loop := false // set if the line begins with while, until or for; a "do" after such a word begins no block of its own
	for i := range toks {
		tok := &toks[i]
		first := i == 0 || toks[i-1].Kind == Line || toks[i-1].Kind == Op && !toks[i-1].IsOp(".") ||
			toks[i-1].IsWord("do") || toks[i-1].IsWord("then") || toks[i-1].IsWord("else")
		switch {
		case tok.Kind == Line || tok.IsOp(";"):
			loop = false
		case tok.Kind != Name:
		case tok.Text == "end":
			if len(open) > 0 && (i == 0 || !toks[i-1].IsOp(".")) {
				match[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		case tok.Text == "def" && isEndless(toks, match, i):
		case tok.Text == "do":
			if !loop || lang == trace.Lua {
				open = append(open, i)
			}
			loop = false
		case beginsBlock(tok.Text, lang, first):
			open = append(open, i)
			loop = loop || tok.Text == "while" || tok.Text == "until" || tok.Text == "for"
		}
	}
}

// isEndless reports whether a Ruby method has no word "end", as in "def name(a) = value".
func isEndless(toks []Token, match []int, at int) bool {
	if at+2 >= len(toks) {
		return false
	}
	next := at + 2
	if toks[next].IsOp("(") {
		next = match[next] + 1
	}
	return next < len(toks) && toks[next].IsOp("=")
}

// beginsBlock reports whether a word begins a block that the word "end" closes. It returns false for the word "do". In
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
