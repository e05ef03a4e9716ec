package toolcall

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
	switch l.tongue {
	case script, groovy:
		return c == '$'
	case perl:
		return c == '$' || c == '@' && (isLetter(after) || after == '{' || after == '$') || c == '%' && isLetter(after) && !l.afterOperand()
	case php, awk:
		return c == '$' && (isLetter(after) || after == '$')
	case ruby:
		return c == '$' || c == '@' && (isLetter(after) || after == '@')
	}
	return false
}

func (l *lexer) name() {
	start := l.pos
	l.pos++
	if l.tongue == perl && l.byteAt(start) != '$' || isLetter(l.byteAt(start)) || isLetter(l.byteAt(l.pos)) || l.tongue != perl && l.tongue != ruby {
		for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '@' || l.tongue == script && l.src[l.pos] == '$') {
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
	case l.tongue == statistics:
		for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '.') {
			l.pos++
		}
	case l.tongue == other:
		for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '-') {
			l.pos++
		}
	case (l.tongue == ruby || l.tongue == elixir) && l.pos > start && (l.byteAt(l.pos) == '!' || l.byteAt(l.pos) == '?') && l.byteAt(l.pos+1) != '=':
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
