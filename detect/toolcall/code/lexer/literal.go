package lexer

// literal.go parses strings, texts in backticks, and regular expressions.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// textLiteral parses a string, a regular expression or a here-document. It returns false if no such literal begins
// here.
func (l *lexer) textLiteral() bool {
	switch c := l.src[l.pos]; c {
	case '"', '\'':
		if c == '\'' && (l.language == trace.Other || l.language == trace.Compiled && !l.isCharacter()) {
			return false
		}
		l.quotedString(l.pos, c, l.interpolates(c), c == '\'' && l.rawSingleQuotes())
		return true
	case '`':
		l.backtick()
		return true
	case '/':
		if l.hasRegex() && !l.afterOperand() {
			return l.regex()
		}
	case '[':
		if l.language == trace.Lua && strings.HasPrefix(l.remaining(), "[[") {
			l.literalUpTo(2, "]]")
			return true
		}
	case '<':
		return l.heredoc()
	}
	return l.prefixedString()
}

// isCharacter reports whether a single quote begins a character literal. In Rust, it can also begin a lifetime.
func (l *lexer) isCharacter() bool {
	return l.byteAt(l.pos+2) == '\'' || l.byteAt(l.pos+1) == '\\'
}

// backtick() parses a text between backticks, which is a template or a command.
func (l *lexer) backtick() {
	body, after := l.body(l.pos+1, "`")
	l.pos = after
	switch l.language {
	case trace.Script:
		l.addText(body, true, false)
	case trace.Perl, trace.Ruby, trace.PHP, trace.Julia:
		l.command(body)
	default:
		l.addText(body, false, true)
	}
}

// command() adds a command in backticks to the tokens.
func (l *lexer) command(body string) {
	tok := Token{Kind: Command, Text: body}
	tok.Parts = l.splitInterpolations(body)
	l.add(tok)
}

// regex() parses a regular expression. It adds an empty text to the tokens in place of the expression.
func (l *lexer) regex() bool {
	i, class := l.pos+1, false
	// This limit prevents quadratic time for a long line of slashes.
	for end := min(len(l.src), i+2048); i < end && l.src[i] != '\n'; i++ {
		switch l.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			l.pos = i + 1
			l.skipModifiers()
			l.add(Token{Kind: Text})
			return true
		}
	}
	return false
}

func (l *lexer) skipModifiers() string {
	start := l.pos
	for l.pos < len(l.src) && l.src[l.pos] >= 'a' && l.src[l.pos] <= 'z' {
		l.pos++
	}
	return l.src[start:l.pos]
}

// literalUpTo parses a text without escapes. The parameter "end" is the mark at the end of the text.
func (l *lexer) literalUpTo(open int, end string) {
	from := l.pos + open
	l.skipPast(end, open)
	l.add(Token{Kind: Text, Text: strings.TrimSuffix(l.src[min(from, l.pos):l.pos], end)})
}

// hasRegex reports whether the language writes regular expressions between slashes.
func (l *lexer) hasRegex() bool {
	switch l.language {
	case trace.Script, trace.Perl, trace.Ruby, trace.Awk, trace.Groovy:
		return true
	}
	return false
}

// rawSingleQuotes reports whether the language has only the escapes \' and \\ in single quotes.
func (l *lexer) rawSingleQuotes() bool {
	return l.language == trace.Perl || l.language == trace.Ruby || l.language == trace.PHP
}

// interpolates() reports whether a string in this kind of quotes may contain expressions.
func (l *lexer) interpolates(quote byte) bool {
	switch l.language {
	case trace.Perl, trace.Ruby, trace.PHP, trace.Julia, trace.Groovy, trace.Elixir:
		return quote == '"'
	}
	return false
}

// prefixedString parses a string with a prefix, such as r"", b"" or f"" in Python.
func (l *lexer) prefixedString() bool {
	if l.language != trace.Python && l.language != trace.Statistics || !isLetter(l.src[l.pos]) {
		return false
	}
	i := l.pos
	for i < len(l.src) && i < l.pos+3 && strings.IndexByte("rRbBfFuU", l.src[i]) >= 0 {
		i++
	}
	c := l.byteAt(i)
	if i == l.pos || c != '"' && c != '\'' {
		return false
	}
	prefix := strings.ToLower(l.src[l.pos:i])
	l.quotedString(i, c, strings.Contains(prefix, "f"), strings.Contains(prefix, "r"))
	return true
}

// quotedString parses a string. The string has one or three opening quotes at the given index.
func (l *lexer) quotedString(at int, quote byte, interpolate, raw bool) {
	end := string(quote)
	switch l.language {
	case trace.Python, trace.Groovy, trace.Julia, trace.Elixir:
		if triple := strings.Repeat(end, 3); strings.HasPrefix(l.src[at:], triple) {
			end = triple
		}
	}
	body, after := l.body(at+len(end), end)
	l.pos = after
	l.addText(body, interpolate, raw)
}

// body() returns the source from an index up to the closing quotes, and the index after the closing quotes.
func (l *lexer) body(from int, end string) (string, int) {
	for i := from; i < len(l.src); i++ {
		if l.src[i] == '\\' && l.language != trace.Awk || l.src[i] == '\\' && end == `"` {
			i++
			continue
		}
		if inner := l.nested(i, end); inner > 0 {
			i = inner
			continue
		}
		if l.src[i] == end[0] && strings.HasPrefix(l.src[i:], end) {
			return l.src[from:i], i + len(end)
		}
	}
	return l.src[min(from, len(l.src)):], len(l.src)
}

// maxNested is the maximum size in bytes of an expression whose quotes do not end the text around it.
const maxNested = 200

// nested() returns the index of the brace that ends a short and plain expression, such as #{ENV["HOME"]}, in a text with
// these quotes. It returns 0 if no such expression begins at the index i.
func (l *lexer) nested(i int, quotes string) int {
	if l.language != trace.Ruby && l.language != trace.Elixir || quotes == "'" || l.src[i] != '#' || l.byteAt(i+1) != '{' {
		return 0
	}
	body, _, found := strings.Cut(l.src[i+2:min(len(l.src), i+maxNested)], "}")
	if !found || strings.ContainsAny(body, "{/?\\\n#'`") || strings.Count(body, `"`)%2 != 0 {
		return 0
	}
	return i + 2 + len(body)
}

// addText adds a text. If the parameter "interpolate" is set, the text may contain expressions. If the parameter "raw"
// is set, its only escapes are \\ and \'.
func (l *lexer) addText(body string, interpolate, raw bool) {
	tok := Token{Kind: Text}
	if interpolate {
		tok.Parts = l.splitInterpolations(body)
	}
	if tok.Parts == nil {
		tok.Text, tok.Taint = decodeText(body, raw)
	}
	l.add(tok)
}

// decodeText replaces the escapes in a text. The result has the taint Decoded if the text contains printable characters
// as numeric escapes, because such escapes can hide a text.
func decodeText(body string, raw bool) (string, trace.Taint) {
	if !strings.Contains(body, `\`) {
		return body, 0
	}
	if raw {
		return strings.ReplaceAll(strings.ReplaceAll(body, `\\`, `\`), `\'`, `'`), 0
	}
	body = strings.ReplaceAll(body, "\\\n", "")
	text := words.UnescapeANSI(body)
	if spellsLetters(body) {
		return text, trace.Decoded
	}
	return text, 0
}

// spellsLetters reports whether a text contains printable characters as escapes such as \x72 or \u0072.
func spellsLetters(body string) bool {
	for i := strings.IndexByte(body, '\\'); i >= 0 && i+3 < len(body); {
		hex := body[i+2 : i+4]
		if body[i+1] == 'u' && strings.HasPrefix(body[i+2:], "00") && i+5 < len(body) {
			hex = body[i+4 : i+6]
		}
		if (body[i+1] == 'x' || body[i+1] == 'u') && hex[0] >= '4' && hex[0] <= '7' {
			return true
		}
		next := strings.IndexByte(body[i+2:], '\\')
		if next < 0 {
			return false
		}
		i += 2 + next
	}
	return false
}
