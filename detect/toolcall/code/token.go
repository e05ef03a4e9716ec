package code

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isWordByte(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

// nameStart reports whether a name begins at a place; the sigils of Perl, PHP and Ruby belong to it.
func (l *lexer) nameStart(i int) bool {
	c, after := l.byteAt(i), l.byteAt(i+1)
	if isLetter(c) {
		return true
	}
	switch l.language {
	case trace.Script, trace.Groovy:
		return c == '$'
	case trace.Perl:
		return c == '$' || c == '@' && (isLetter(after) || after == '{' || after == '$') || c == '%' && isLetter(after) && !l.afterOperand()
	case trace.PHP, trace.Awk:
		return c == '$' && (isLetter(after) || after == '$')
	case trace.Ruby:
		return c == '$' || c == '@' && (isLetter(after) || after == '@')
	}
	return false
}

func (l *lexer) name() {
	start := l.pos
	l.pos++
	if l.language == trace.Perl && l.byteAt(start) != '$' || isLetter(l.byteAt(start)) || isLetter(l.byteAt(l.pos)) || l.language != trace.Perl && l.language != trace.Ruby {
		for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '@' || l.language == trace.Script && l.src[l.pos] == '$') {
			l.pos++
		}
	} else if c := l.byteAt(l.pos); c != '{' && c != '$' && c > ' ' {
		l.pos++ // $_, $0, $!, $~
	}
	l.dotted(start)
	l.add(token{kind: tokName, text: l.src[start:l.pos]})
}

// dotted takes in what else belongs to a name: R's dots, and Lisp's hyphens.
func (l *lexer) dotted(start int) {
	switch {
	case l.language == trace.Statistics:
		for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '.') {
			l.pos++
		}
	case l.language == trace.Other:
		for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '-') {
			l.pos++
		}
	case (l.language == trace.Ruby || l.language == trace.Elixir) && l.pos > start && (l.byteAt(l.pos) == '!' || l.byteAt(l.pos) == '?') && l.byteAt(l.pos+1) != '=':
		l.pos++
	}
}

func (l *lexer) number() {
	start := l.pos
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if c == '.' && (l.byteAt(l.pos+1) < '0' || l.byteAt(l.pos+1) > '9') || c != '.' && !isWordByte(c) {
			break
		}
		l.pos++
	}
	l.add(token{kind: tokNumber, text: l.src[start:l.pos]})
}

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
	taint trace.Taint
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
	src      string
	language trace.Language
	pos      int
	toks     []token
	// round counts open round and square brackets, in which line ends mean nothing.
	round int
	space bool
}

func lex(src string, t trace.Language) []token {
	l := &lexer{src: src, language: t, toks: make([]token, 0, len(src)/4+4)}
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
	switch l.language {
	case trace.Script, trace.Groovy, trace.PHP:
		if strings.HasPrefix(rest, "/*") {
			l.skipPast("*/", 2)
			return true
		}
		if strings.HasPrefix(rest, "//") || rest[0] == '#' && (l.language == trace.PHP || l.pos == 0) {
			l.skipTo("\n")
			return true
		}
		return false
	case trace.Lua:
		if strings.HasPrefix(rest, "--[[") {
			l.skipPast("]]", 4)
			return true
		}
		if strings.HasPrefix(rest, "--") {
			l.skipTo("\n")
			return true
		}
		return false
	case trace.Other:
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
	return word == words.Among(word, "return and or not if unless while split grep map join x in typeof print when case push")
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
