package lexer

// quote.go parses the quote operators of Perl and Ruby.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// languageToken parses the quote operators of Perl and Ruby, the symbols of Ruby and the tags of PHP.
func (l *lexer) languageToken(c byte) bool {
	switch l.language {
	case trace.Perl:
		return isLetter(c) && l.perlQuote()
	case trace.Ruby:
		return c == '%' && !l.afterOperand() && l.rubyQuote() || c == ':' && l.symbol()
	case trace.PHP:
		if strings.HasPrefix(l.remaining(), "<?") || strings.HasPrefix(l.remaining(), "?>") {
			l.pos += 2
			if strings.HasPrefix(l.remaining(), "php") {
				l.pos += 3
			}
			return true
		}
	}
	return false
}

// perlQuote parses q(), qq(), qw(), qx(), m//, qr//, s/// and tr///.
func (l *lexer) perlQuote() bool {
	word := ""
	for _, w := range [...]string{"qq", "qw", "qx", "qr", "q", "m", "s", "tr", "y"} {
		if strings.HasPrefix(l.remaining(), w) {
			word = w
			break
		}
	}
	if word == "" || l.pos > 0 && isWordByte(l.src[l.pos-1]) {
		return false
	}
	at := l.pos + len(word)
	d := l.byteAt(at)
	if d <= ' ' || isWordByte(d) || d == ',' || d == ';' || d == ')' || d == '=' ||
		d == '-' && l.byteAt(at+1) == '>' || d == '.' && word == "s" {
		return false
	}
	body, after := l.delimitedText(at)
	l.pos = after
	switch word {
	case "qx":
		l.command(body)
	case "q", "qq":
		l.addText(body, word == "qq", word == "q")
	case "qw":
		l.wordList(body)
	case "s", "tr", "y":
		l.replacement(d, word)
	default:
		l.skipModifiers()
		l.add(Token{Kind: Text})
	}
	return true
}

// replacement() parses the second half of s///. With the modifier e, the second half is code.
func (l *lexer) replacement(delimiter byte, word string) {
	at := l.pos - 1
	if closingDelimiter(delimiter) != delimiter {
		at = l.pos
	}
	body, after := l.delimitedText(at)
	l.pos = after
	flags := l.skipModifiers()
	tok := Token{Kind: Text}
	if word == "s" && strings.Contains(flags, "e") {
		tok.Parts = []Part{{Text: body, IsCode: true}}
	}
	l.add(tok)
}

// rubyQuote parses %w[], %q(), %Q(), %x() and %().
func (l *lexer) rubyQuote() bool {
	kind, at := byte('Q'), l.pos+1
	if isLetter(l.byteAt(at)) {
		kind = l.byteAt(at)
		at++
	}
	if d := l.byteAt(at); strings.IndexByte("([{<|!/", d) < 0 || d == 0 {
		return false
	}
	body, after := l.delimitedText(at)
	l.pos = after
	switch kind {
	case 'x':
		l.command(body)
	case 'w', 'W', 'i':
		l.wordList(body)
	default:
		l.addText(body, kind == 'Q', kind == 'q')
	}
	return true
}

// delimitedText returns the text between the delimiter at an index and the matching closing delimiter. It also returns
// the index after the closing delimiter.
func (l *lexer) delimitedText(at int) (body string, after int) {
	open := l.byteAt(at)
	shut := closingDelimiter(open)
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

func closingDelimiter(open byte) byte {
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

// wordList adds the words in qw() or %w[] as a list.
func (l *lexer) wordList(body string) {
	l.add(Token{Kind: Op, Text: "["})
	for _, w := range strings.Fields(body) {
		l.add(Token{Kind: Text, Text: w})
		l.add(Token{Kind: Op, Text: ","})
	}
	l.add(Token{Kind: Op, Text: "]"})
}

// symbol() parses a Ruby symbol such as :name, and adds it as a text.
func (l *lexer) symbol() bool {
	if !isLetter(l.byteAt(l.pos+1)) || l.pos > 0 && l.src[l.pos-1] == ':' {
		return false
	}
	start := l.pos + 1
	for l.pos = start; l.pos < len(l.src) && isWordByte(l.src[l.pos]); {
		l.pos++
	}
	l.add(Token{Kind: Text, Text: l.src[start:l.pos]})
	return true
}
