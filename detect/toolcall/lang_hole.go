package toolcall

// hole is an expression inside a string: where its source stands, and where the string goes on. A hole that ends at
// zero is none.
type hole struct{ from, to, next int }

// split cuts an interpolated string into literals and expressions; nil when there is no expression.
func (l *lexer) split(body string) []part {
	var parts []part
	start := 0
	for i := 0; i < len(body); i++ {
		if body[i] == '\\' {
			i++
			continue
		}
		h := l.hole(body, i)
		if h.to == 0 {
			continue
		}
		text, _ := decodeText(body[start:i], false)
		parts = append(parts, part{text: text}, part{text: body[h.from:h.to], code: true})
		start = h.next
		i = h.next - 1
	}
	if parts == nil {
		return nil
	}
	text, _ := decodeText(body[min(start, len(body)):], false)
	return append(parts, part{text: text})
}

// hole finds the expression that begins at a place in a string.
func (l *lexer) hole(body string, i int) hole {
	c, after := body[i], byte(0)
	if i+1 < len(body) {
		after = body[i+1]
	}
	switch l.tongue {
	case python:
		if c == '{' && after != '{' {
			return bracketed(body, i+1, i)
		}
	case ruby, elixir:
		if c == '#' && after == '{' {
			return bracketed(body, i+2, i+1)
		}
	case perl, php, groovy, script, julia:
		return l.dollarHole(body, i, c, after)
	}
	return hole{}
}

func (l *lexer) dollarHole(body string, i int, c, after byte) hole {
	switch {
	case c == '@' && after == '{' && l.tongue == perl, c == '$' && after == '{' && l.tongue != julia:
		return bracketed(body, i+2, i+1)
	case c == '{' && after == '$' && l.tongue == php:
		return bracketed(body, i+1, i)
	case c == '$' && after == '(' && l.tongue == julia:
		return bracketed(body, i+2, i+1)
	case c == '$' && isLetter(after) && l.tongue != script:
		return l.variableHole(body, i)
	}
	return hole{}
}

func bracketed(body string, from, open int) hole {
	end := closing(body, open)
	return hole{from: from, to: end, next: min(end+1, len(body))}
}

func (l *lexer) variableHole(body string, i int) hole {
	end := i + 1
	for end < len(body) && isWordByte(body[end]) {
		end++
	}
	if end < len(body) && (body[end] == '{' || body[end] == '[') && l.tongue == perl {
		end = min(closing(body, end)+1, len(body))
	}
	if l.tongue == julia || l.tongue == groovy {
		i++
	}
	return hole{from: i, to: end, next: end}
}

// closing is the index of the bracket that closes the one at i, or the length. Only so much is looked at: whoever
// nests and leaves open would make it look again and again.
func closing(body string, i int) int {
	depth := 0
	end := min(len(body), i+maxHole)
	for ; i < end; i++ {
		switch body[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return end
}

// maxHole is the longest expression inside a string that is looked at.
const maxHole = 4096
