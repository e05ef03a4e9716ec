package toolcall

import "strings"

// textStart reads a string, a regular expression or a heredoc if one begins here.
func (l *lexer) textStart() bool {
	switch c := l.src[l.pos]; c {
	case '"', '\'':
		if c == '\'' && l.tongue == other {
			return false
		}
		l.quoted(l.pos, c, l.interpolates(c), c == '\'' && l.plainSingle())
		return true
	case '`':
		l.backtick()
		return true
	case '/':
		if l.hasRegex() && !l.afterOperand() {
			return l.regex()
		}
	case '[':
		if l.tongue == lua && strings.HasPrefix(l.rest(), "[[") {
			l.between(2, "]]")
			return true
		}
	case '<':
		return l.heredoc()
	}
	return l.prefixed()
}

func (l *lexer) hasRegex() bool {
	switch l.tongue {
	case script, perl, ruby, awk, groovy:
		return true
	}
	return false
}

// plainSingle reports whether single quotes know no escapes but of themselves.
func (l *lexer) plainSingle() bool { return l.tongue == perl || l.tongue == ruby || l.tongue == php }

func (l *lexer) interpolates(quote byte) bool {
	switch l.tongue {
	case perl, ruby, php, julia, groovy, elixir:
		return quote == '"'
	}
	return false
}

// prefixed reads Python's r"", b"" and f"", and Julia's raw"".
func (l *lexer) prefixed() bool {
	if l.tongue != python && l.tongue != statistics || !isLetter(l.src[l.pos]) {
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
	l.quoted(i, c, strings.Contains(prefix, "f"), strings.Contains(prefix, "r"))
	return true
}

// quoted reads a string that begins with a quote at a place, three of them included.
func (l *lexer) quoted(at int, quote byte, interpolate, raw bool) {
	end := string(quote)
	if triple := strings.Repeat(end, 3); strings.HasPrefix(l.src[at:], triple) && (l.tongue == python || l.tongue == groovy || l.tongue == julia || l.tongue == elixir) {
		end = triple
	}
	body, after := l.body(at+len(end), end)
	l.pos = after
	l.addText(body, interpolate, raw)
}

// body is the source up to the closing quote, and where to go on.
func (l *lexer) body(from int, end string) (string, int) {
	for i := from; i < len(l.src); i++ {
		if l.src[i] == '\\' && l.tongue != awk || l.src[i] == '\\' && end == `"` {
			i++
			continue
		}
		if l.src[i] == end[0] && strings.HasPrefix(l.src[i:], end) {
			return l.src[from:i], i + len(end)
		}
	}
	return l.src[min(from, len(l.src)):], len(l.src)
}

func (l *lexer) addText(body string, interpolate, raw bool) {
	t := token{kind: tokText}
	if interpolate {
		t.parts = l.split(body)
	}
	if t.parts == nil {
		t.text, t.taint = decodeText(body, raw)
	}
	l.add(t)
}

// decodeText decodes escapes; letters that are spelled as numbers are taken for hidden.
func decodeText(body string, raw bool) (string, taint) {
	if !strings.Contains(body, `\`) {
		return body, 0
	}
	if raw {
		return strings.ReplaceAll(strings.ReplaceAll(body, `\\`, `\`), `\'`, `'`), 0
	}
	body = strings.ReplaceAll(body, "\\\n", "")
	text := unescapeANSI(body)
	if spellsLetters(body) {
		return text, decoded
	}
	return text, 0
}

// spellsLetters reports whether printable characters are written as \x72 or \u0072.
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
