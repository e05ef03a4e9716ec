package toolcall

import "strings"

// backtick reads what stands between backticks: a template, or a command.
func (l *lexer) backtick() {
	body, after := l.body(l.pos+1, "`")
	l.pos = after
	switch l.tongue {
	case script:
		l.addText(body, true, false)
	case perl, ruby, php, julia:
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
	switch l.tongue {
	case perl:
		return isLetter(c) && l.perlQuote()
	case ruby:
		return c == '%' && !l.afterOperand() && l.rubyQuote() || c == ':' && l.symbol()
	case php:
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
