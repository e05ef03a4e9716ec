// Package lexer splits source code into tokens.
package lexer

// token.go contains the types of tokens, and the lexer that splits source code into tokens.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	Name Kind = iota
	Text
	Command // `…` of Perl, Ruby, PHP and Julia, qx(…), %x(…)
	Number
	Op
	Line // the end of a line
)

// Token is one token of source code. The token of a text contains the text without quotes and with decoded escapes.
type Token struct {
	Text string
	// Parts is set if the token is a text that contains expressions.
	Parts []Part
	Taint trace.Taint
	// Indent is the indentation of the next line. It is set only if the token is a line end.
	Indent uint16
	Kind   Kind
	// Space is set if white space comes before the token.
	Space bool
}

// IsOp reports whether the token is the given operator.
func (tok *Token) IsOp(op string) bool { return tok.Kind == Op && tok.Text == op }

// IsWord reports whether the token is the given name.
func (tok *Token) IsWord(name string) bool { return tok.Kind == Name && tok.Text == name }

// Part is a piece of an interpolated string: a literal or the source of an expression.
type Part struct {
	Text   string
	IsCode bool
}

// lexer splits source code into tokens. It never fails, because it treats everything that it does not recognize as an
// operator.
type lexer struct {
	src      string
	language trace.Language
	pos      int
	toks     []Token
	// The field "brackets" is the number of open round and square brackets. Inside these brackets, line ends have no
	// meaning.
	brackets int
	space    bool
}

// Tokens splits source code into tokens.
func Tokens(src string, lang trace.Language) []Token {
	l := &lexer{src: src, language: lang, toks: make([]Token, 0, len(src)/4+4)}
	for l.pos < len(src) {
		l.next()
	}
	return l.toks
}

// next() reads one token, comment or white space.
func (l *lexer) next() {
	c := l.src[l.pos]
	switch {
	case c == '\n':
		l.line()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0:
		l.pos++
		l.space = true
	case c == '\\' && strings.HasPrefix(l.remaining(), "\\\n"):
		l.pos += 2
	case l.comment(), l.textLiteral(), l.languageToken(c):
	case c >= '0' && c <= '9':
		l.number()
	case l.nameStart(l.pos):
		l.name()
	default:
		l.operator()
	}
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isWordByte(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

// nameStart reports whether a name begins at an index. A name in Perl, PHP or Ruby includes a sign before the letters,
// such as $.
func (l *lexer) nameStart(i int) bool {
	c, after := l.byteAt(i), l.byteAt(i+1)
	if isLetter(c) {
		return true
	}
	switch l.language {
	case trace.Script, trace.Groovy:
		return c == '$'
	case trace.Perl:
		return c == '$' || c == '@' && (isLetter(after) || after == '{' || after == '$') ||
			c == '%' && isLetter(after) && !l.afterOperand()
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
	if l.language == trace.Perl && l.byteAt(start) != '$' || isLetter(l.byteAt(start)) || isLetter(l.byteAt(l.pos)) ||
		l.language != trace.Perl && l.language != trace.Ruby {
		for l.pos < len(l.src) &&
			(isWordByte(l.src[l.pos]) || l.src[l.pos] == '@' || l.language == trace.Script && l.src[l.pos] == '$') {
			l.pos++
		}
	} else if c := l.byteAt(l.pos); c != '{' && c != '$' && c > ' ' {
		l.pos++ // $_, $0, $!, $~
	}
	l.nameSuffix(start)
	l.add(Token{Kind: Name, Text: l.src[start:l.pos]})
}

// nameSuffix parses the rest of a name, which may contain dots in R, hyphens in Lisp, and ! or ? in Ruby and Elixir.
func (l *lexer) nameSuffix(start int) {
	switch l.language {
	case trace.Statistics:
		for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '.') {
			l.pos++
		}
	case trace.Other:
		for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '-') {
			l.pos++
		}
	case trace.Compiled:
		if l.byteAt(l.pos) == '!' && (l.byteAt(l.pos+1) == '(' || l.byteAt(l.pos+1) == '[') {
			l.pos++ // the exclamation mark belongs to the name of a Rust macro
		}
	case trace.Ruby, trace.Elixir:
		if c := l.byteAt(l.pos); l.pos > start && (c == '!' || c == '?') && l.byteAt(l.pos+1) != '=' {
			l.pos++
		}
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
	l.add(Token{Kind: Number, Text: l.src[start:l.pos]})
}

func (l *lexer) add(tok Token) {
	tok.Space = l.space
	l.space = false
	l.toks = append(l.toks, tok)
}

func (l *lexer) remaining() string { return l.src[l.pos:] }

// line() parses a line end. It adds a token only outside brackets.
func (l *lexer) line() {
	l.pos++
	l.space = true
	if l.brackets == 0 {
		l.add(Token{Kind: Line, Indent: l.indent()})
		l.space = true
	}
}

func (l *lexer) indent() uint16 {
	n := 0
	for n < 1<<12 && (l.byteAt(l.pos+n) == ' ' || l.byteAt(l.pos+n) == '\t') {
		n++
	}
	return uint16(n)
}

func (l *lexer) comment() bool {
	rest := l.remaining()
	switch l.language {
	case trace.Script, trace.Groovy, trace.PHP, trace.Compiled:
		if l.language == trace.Compiled && rest[0] == '#' && (l.pos == 0 || strings.HasPrefix(rest, "#include") ||
			strings.HasPrefix(rest, "#![") || strings.HasPrefix(rest, "#[") || strings.HasPrefix(rest, "#pragma")) {
			l.skipTo("\n")
			return true
		}
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
	if i := strings.Index(l.remaining(), end); i >= 0 {
		l.pos += i
		return
	}
	l.pos = len(l.src)
}

// skipPast skips the given number of bytes, and then everything up to and including the given text.
func (l *lexer) skipPast(end string, from int) {
	l.pos += from
	l.skipTo(end)
	l.pos = min(l.pos+len(end), len(l.src))
}

// afterOperand reports whether the previous token ends an operand. If so, a slash is a division and not the start of a
// regular expression.
func (l *lexer) afterOperand() bool {
	if len(l.toks) == 0 {
		return false
	}
	switch tok := l.toks[len(l.toks)-1]; tok.Kind {
	case Text, Number, Command:
		return true
	case Name:
		return !precedesOperand(tok.Text)
	case Op:
		return tok.Text == ")" || tok.Text == "]" || tok.Text == "}"
	}
	return false
}

// precedesOperand reports whether an operand follows a word. Examples of such words are "return" and "and".
func precedesOperand(word string) bool {
	return word == words.Among(word, "return and or not if unless while split grep map join x in typeof print when "+
		"case push unlink for foreach keys eval say scalar chomp system")
}

func (l *lexer) byteAt(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// secondInOperators lists the second bytes of operators.
const secondInOperators = "=.|&?>:~<-*+"

func (l *lexer) operator() {
	rest := l.remaining()
	size := 1
	for _, op := range [...]string{
		"===", "!==", "**=", "...", "||=", "&&=", "??=", "<=>",
		"=>", "->", "::", "?.", "||", "&&", "??", "==", "!=", "=~", "!~", "<=", ">=", "..", "+=", ".=", "|>", "<-", ":=",
		"<<", ">>", "<>", "**", "++", "--",
	} {
		if len(rest) < 2 || strings.IndexByte(secondInOperators, rest[1]) < 0 {
			break
		}
		if strings.HasPrefix(rest, op) {
			size = len(op)
			break
		}
	}
	switch rest[0] {
	case '(', '[':
		l.brackets++
	case ')', ']':
		l.brackets = max(l.brackets-1, 0)
	}
	l.add(Token{Kind: Op, Text: rest[:size]})
	l.pos += size
}
