package code

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// backtick reads what stands between backticks: a template, or a command.
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

// command adds a command between backticks.
func (l *lexer) command(body string) {
	t := token{kind: tokCommand, text: body}
	t.parts = l.split(body)
	l.add(t)
}

// regex reads a regular expression, which is data.
func (l *lexer) regex() bool {
	i, class := l.pos+1, false
	// Only so far: a line of slashes without an end must not be read again and again.
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
			l.add(token{kind: tokText})
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

// between reads a literal text up to its end mark.
func (l *lexer) between(open int, end string) {
	from := l.pos + open
	l.skipPast(end, open)
	l.add(token{kind: tokText, text: strings.TrimSuffix(l.src[min(from, l.pos):l.pos], end)})
}

// special reads the quoting words of Perl and Ruby, and what else only one language has.
func (l *lexer) special(c byte) bool {
	switch l.language {
	case trace.Perl:
		return isLetter(c) && l.perlQuote()
	case trace.Ruby:
		return c == '%' && !l.afterOperand() && l.rubyQuote() || c == ':' && l.symbol()
	case trace.PHP:
		if strings.HasPrefix(l.rest(), "<?") || strings.HasPrefix(l.rest(), "?>") {
			l.pos += 2
			if strings.HasPrefix(l.rest(), "php") {
				l.pos += 3
			}
			return true
		}
	}
	return false
}

// symbol reads Ruby's :name as a text.
func (l *lexer) symbol() bool {
	if !isLetter(l.byteAt(l.pos+1)) || l.pos > 0 && l.src[l.pos-1] == ':' {
		return false
	}
	start := l.pos + 1
	for l.pos = start; l.pos < len(l.src) && isWordByte(l.src[l.pos]); {
		l.pos++
	}
	l.add(token{kind: tokText, text: l.src[start:l.pos]})
	return true
}

// perlQuote reads q(), qq(), qw(), qx(), m//, qr//, s/// and tr///.
func (l *lexer) perlQuote() bool {
	word := ""
	for _, w := range [...]string{"qq", "qw", "qx", "qr", "q", "m", "s", "tr", "y"} {
		if strings.HasPrefix(l.rest(), w) {
			word = w
			break
		}
	}
	if word == "" || l.pos > 0 && isWordByte(l.src[l.pos-1]) {
		return false
	}
	at := l.pos + len(word)
	d := l.byteAt(at)
	if d <= ' ' || isWordByte(d) || d == ',' || d == ';' || d == ')' || d == '=' || d == '-' && l.byteAt(at+1) == '>' || d == '.' && word == "s" {
		return false
	}
	body, after := l.delimited(at)
	l.pos = after
	switch word {
	case "qx":
		l.command(body)
	case "q", "qq":
		l.addText(body, word == "qq", word == "q")
	case "qw":
		l.words(body)
	case "s", "tr", "y":
		l.replacement(d, word)
	default:
		l.skipModifiers()
		l.add(token{kind: tokText})
	}
	return true
}

// replacement reads the second half of s///; with /e it is code.
func (l *lexer) replacement(delimiter byte, word string) {
	at := l.pos - 1
	if closer(delimiter) != delimiter {
		at = l.pos
	}
	body, after := l.delimited(at)
	l.pos = after
	flags := l.skipModifiers()
	t := token{kind: tokText}
	if word == "s" && strings.Contains(flags, "e") {
		t.parts = []part{{text: body, code: true}}
	}
	l.add(t)
}

// delimited is the text between the delimiter at a place and its counterpart.
func (l *lexer) delimited(at int) (body string, after int) {
	open := l.byteAt(at)
	shut := closer(open)
	depth := 1
	for i := at + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			i++
		case shut:
			depth--
			if depth == 0 {
				return l.src[at+1 : i], i + 1
			}
		case open:
			depth++
		}
	}
	return l.src[min(at+1, len(l.src)):], len(l.src)
}

func closer(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return open
}

// words adds the list of qw() or %w[].
func (l *lexer) words(body string) {
	l.add(token{kind: tokOp, text: "["})
	for _, w := range strings.Fields(body) {
		l.add(token{kind: tokText, text: w})
		l.add(token{kind: tokOp, text: ","})
	}
	l.add(token{kind: tokOp, text: "]"})
}

// rubyQuote reads %w[], %q(), %Q(), %x() and %().
func (l *lexer) rubyQuote() bool {
	kind, at := byte('Q'), l.pos+1
	if isLetter(l.byteAt(at)) {
		kind = l.byteAt(at)
		at++
	}
	if d := l.byteAt(at); strings.IndexByte("([{<|!/", d) < 0 || d == 0 {
		return false
	}
	body, after := l.delimited(at)
	l.pos = after
	switch kind {
	case 'x':
		l.command(body)
	case 'w', 'W', 'i':
		l.words(body)
	default:
		l.addText(body, kind == 'Q', kind == 'q')
	}
	return true
}

// textStart reads a string, a regular expression or a heredoc if one begins here.
func (l *lexer) textStart() bool {
	switch c := l.src[l.pos]; c {
	case '"', '\'':
		if c == '\'' && l.language == trace.Other {
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
		if l.language == trace.Lua && strings.HasPrefix(l.rest(), "[[") {
			l.between(2, "]]")
			return true
		}
	case '<':
		return l.heredoc()
	}
	return l.prefixed()
}

func (l *lexer) hasRegex() bool {
	switch l.language {
	case trace.Script, trace.Perl, trace.Ruby, trace.Awk, trace.Groovy:
		return true
	}
	return false
}

// plainSingle reports whether single quotes know no escapes but of themselves.
func (l *lexer) plainSingle() bool {
	return l.language == trace.Perl || l.language == trace.Ruby || l.language == trace.PHP
}

func (l *lexer) interpolates(quote byte) bool {
	switch l.language {
	case trace.Perl, trace.Ruby, trace.PHP, trace.Julia, trace.Groovy, trace.Elixir:
		return quote == '"'
	}
	return false
}

// prefixed reads Python's r"", b"" and f"", and Julia's raw"".
func (l *lexer) prefixed() bool {
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
	l.quoted(i, c, strings.Contains(prefix, "f"), strings.Contains(prefix, "r"))
	return true
}

// quoted reads a string that begins with a quote at a place, three of them included.
func (l *lexer) quoted(at int, quote byte, interpolate, raw bool) {
	end := string(quote)
	if triple := strings.Repeat(end, 3); strings.HasPrefix(l.src[at:], triple) && (l.language == trace.Python || l.language == trace.Groovy || l.language == trace.Julia || l.language == trace.Elixir) {
		end = triple
	}
	body, after := l.body(at+len(end), end)
	l.pos = after
	l.addText(body, interpolate, raw)
}

// body is the source up to the closing quote, and where to go on.
func (l *lexer) body(from int, end string) (string, int) {
	for i := from; i < len(l.src); i++ {
		if l.src[i] == '\\' && l.language != trace.Awk || l.src[i] == '\\' && end == `"` {
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
