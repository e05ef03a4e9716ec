package toolcall

import "strings"

// tongue is a family of programming languages that share their syntax as far as calls and strings are concerned.
type tongue uint8

const (
	python tongue = iota
	script        // JavaScript and TypeScript
	perl
	ruby
	php
	lua
	awk
	statistics // R
	julia
	groovy
	elixir
	other // read for its strings and calls only
)

type tokenKind uint8

const (
	tokName tokenKind = iota
	tokText
	tokCommand // `…` of Perl, Ruby, PHP and Julia, qx(…), %x(…)
	tokNumber
	tokOp
	tokLine
)

// token is one word of source code; a text has its quotes removed and its escapes decoded.
type token struct {
	text string
	// parts are set when a text has expressions in it.
	parts []part
	taint taint
	kind  tokenKind
	// space is set when a blank stands before the token.
	space bool
}

// part is a piece of an interpolated string: a literal, or the source of an expression.
type part struct {
	text string
	code bool
}

// lexer cuts source code into tokens. It never fails: what it does not understand becomes an operator.
type lexer struct {
	src    string
	tongue tongue
	pos    int
	toks   []token
	// round counts open round and square brackets, in which line ends mean nothing.
	round int
	space bool
}

func lex(src string, t tongue) []token {
	l := &lexer{src: src, tongue: t, toks: make([]token, 0, len(src)/4+4)}
	for l.pos < len(src) {
		l.next()
	}
	return l.toks
}

func (l *lexer) add(t token) {
	t.space = l.space
	l.space = false
	l.toks = append(l.toks, t)
}

func (l *lexer) rest() string { return l.src[l.pos:] }

func (l *lexer) next() {
	c := l.src[l.pos]
	switch {
	case c == '\n':
		l.line()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0:
		l.pos++
		l.space = true
	case c == '\\' && strings.HasPrefix(l.rest(), "\\\n"):
		l.pos += 2
	case l.comment(), l.textStart(), l.special(c):
	case c >= '0' && c <= '9':
		l.number()
	case l.nameStart(l.pos):
		l.name()
	default:
		l.operator()
	}
}

func (l *lexer) line() {
	l.pos++
	l.space = true
	if l.round == 0 {
		l.add(token{kind: tokLine})
		l.space = true
	}
}

// comment skips a comment if one stands here.
func (l *lexer) comment() bool {
	rest := l.rest()
	switch l.tongue {
	case script, groovy, php:
		if strings.HasPrefix(rest, "/*") {
			l.skipPast("*/", 2)
			return true
		}
		if strings.HasPrefix(rest, "//") || rest[0] == '#' && (l.tongue == php || l.pos == 0) {
			l.skipTo("\n")
			return true
		}
		return false
	case lua:
		if strings.HasPrefix(rest, "--[[") {
			l.skipPast("]]", 4)
			return true
		}
		if strings.HasPrefix(rest, "--") {
			l.skipTo("\n")
			return true
		}
		return false
	case other:
		return false
	}
	if rest[0] == '#' {
		l.skipTo("\n")
		return true
	}
	return false
}

func (l *lexer) skipTo(end string) {
	if i := strings.Index(l.rest(), end); i >= 0 {
		l.pos += i
		return
	}
	l.pos = len(l.src)
}

func (l *lexer) skipPast(end string, from int) {
	l.pos += from
	l.skipTo(end)
	l.pos = min(l.pos+len(end), len(l.src))
}

// afterOperand reports whether the token before is one after which an operator is due, so that / divides.
func (l *lexer) afterOperand() bool {
	if len(l.toks) == 0 {
		return false
	}
	switch t := l.toks[len(l.toks)-1]; t.kind {
	case tokText, tokNumber, tokCommand:
		return true
	case tokName:
		return !beforeOperand(t.text)
	case tokOp:
		return t.text == ")" || t.text == "]" || t.text == "}"
	}
	return false
}

// beforeOperand are the words after which an operand follows.
func beforeOperand(word string) bool {
	return word == among(word, "return and or not if unless while split grep map join x in typeof print when case push")
}

func (l *lexer) byteAt(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func (l *lexer) operator() {
	rest := l.rest()
	size := 1
	for _, op := range [...]string{"===", "!==", "**=", "...", "||=", "&&=", "??=", "<=>", "=>", "->", "::", "?.", "||", "&&", "??", "==", "!=", "=~", "!~", "<=", ">=", "..", "+=", ".=", "|>", "<-", ":=", "<<", ">>", "<>", "**", "++", "--"} {
		if strings.HasPrefix(rest, op) {
			size = len(op)
			break
		}
	}
	switch rest[0] {
	case '(', '[':
		l.round++
	case ')', ']':
		l.round = max(l.round-1, 0)
	}
	l.add(token{kind: tokOp, text: rest[:size]})
	l.pos += size
}
