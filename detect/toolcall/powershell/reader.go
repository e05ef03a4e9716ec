package powershell

import (
	"strings"

	"guardrails/detect/effect"
)

type reader struct {
	p      *interpreter
	s      string
	i      int // the position in s
	offset int // the position of s in the source
	// noComma is set in the brackets of a method call, where a comma separates arguments. In other places, a comma
	// makes a list.
	noComma bool
	// The field "appends" is set if the current stage of the pipeline has a redirection with >>.
	appends bool
}

func (r *reader) atEnd() bool { return r.i >= len(r.s) }

// peek() returns the byte at offset n from the current position, or 0 after the end of the text.
func (r *reader) peek(n int) byte {
	if r.i+n < len(r.s) {
		return r.s[r.i+n]
	}
	return 0
}

// span() returns the part of the source from the index "start" to the current position, without trailing white space.
func (r *reader) span(start int) effect.Span {
	text := strings.TrimRight(r.s[min(start, r.i):r.i], " \t\r\n")
	return r.p.trace.Span(r.offset+start, r.offset+start+len(text))
}

// skipSpaces skips blanks and comments. It skips a line break only if a backtick stands directly before it.
func (r *reader) skipSpaces() {
	for !r.atEnd() {
		switch c := r.s[r.i]; {
		case c == ' ' || c == '\t' || c == '\r' && r.peek(1) != '\n' || c == '\v' || c == '\f':
			r.i++
		case c == '`' && r.peek(1) == '\n':
			r.i += 2
		case c == '`' && r.peek(1) == '\r' && r.peek(2) == '\n':
			r.i += 3
		case c == '<' && r.peek(1) == '#':
			r.skipPast("#>")
		case c == '#':
			r.skipLine()
		default:
			return
		}
	}
}

func (r *reader) skipPast(mark string) {
	if n := strings.Index(r.s[r.i:], mark); n >= 0 {
		r.i += n + len(mark)
		return
	}
	r.i = len(r.s)
}

func (r *reader) skipLine() {
	if n := strings.IndexByte(r.s[r.i:], '\n'); n >= 0 {
		r.i += n
		return
	}
	r.i = len(r.s)
}

func (r *reader) skipSeparators() {
	for {
		r.skipSpaces()
		switch r.peek(0) {
		case '\n', '\r', ';':
			r.i++
		case '&', '|':
			if r.peek(1) != r.s[r.i] {
				return
			}
			r.i += 2
		default:
			return
		}
	}
}

func (r *reader) skipLines() {
	for {
		r.skipSpaces()
		if c := r.peek(0); c != '\n' && c != '\r' {
			return
		}
		r.i++
	}
}

// bracketed() skips everything from an opening bracket to its closing bracket, and returns the text between these
// brackets.
func (r *reader) bracketed() fragment {
	start := r.i + 1
	depth := 0
	for !r.atEnd() {
		switch c := r.s[r.i]; c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		case '\'', '"':
			r.quotedText(c)
			continue
		case '@':
			if q := r.peek(1); q == '\'' || q == '"' {
				r.hereString(q)
				continue
			}
		case '`':
			r.i++
		case '#':
			if r.i == 0 || strings.IndexByte(" \t\n;({", r.s[r.i-1]) >= 0 {
				r.skipLine()
				continue
			}
		case '<':
			if r.peek(1) == '#' {
				r.skipPast("#>")
				continue
			}
		}
		r.i++
		if depth == 0 {
			return fragment{text: r.s[start : r.i-1], offset: r.offset + start}
		}
	}
	r.i = len(r.s)
	return fragment{text: r.s[min(start, len(r.s)):], offset: r.offset + start}
}

// quotedText skips a quoted string. It returns the text between the quotes, with its escapes, and the position of that
// text.
func (r *reader) quotedText(quote byte) (string, int) {
	r.i++
	start := r.i
	for !r.atEnd() {
		switch c := r.s[r.i]; {
		case c == '`' && quote == '"':
			r.i++
		case c == '$' && quote == '"' && r.peek(1) == '(':
			r.i++
			r.bracketed()
			continue
		case c == quote && r.peek(1) == quote:
			r.i++
		case c == quote:
			r.i++
			return r.s[start : r.i-1], start
		}
		r.i++
	}
	r.i = len(r.s)
	return r.s[min(start, r.i):], start
}

// hereString skips a here-string. A here-string begins with @' or @" at the end of a line and ends with '@ or "@ at the
// start of a line. hereString returns the text between these two marks, and the position of the text.
func (r *reader) hereString(quote byte) (string, int) {
	r.i += 2
	line := strings.IndexByte(r.s[r.i:], '\n')
	if line < 0 || strings.TrimSpace(r.s[r.i:r.i+line]) != "" {
		r.i--
		return r.quotedText(quote)
	}
	start := r.i + line + 1
	stop := strings.Index(r.s[r.i:], "\n"+string(quote)+"@")
	if stop < 0 {
		r.i = len(r.s)
		return r.s[start:], start
	}
	stop += r.i
	r.i = stop + 3
	if stop < start {
		return "", start
	}
	return strings.TrimSuffix(r.s[start:stop], "\r"), start
}

// name() reads a name. The name consists of letters, digits, underscores and the additional bytes in the parameter
// "more".
func (r *reader) name(more string) string {
	start := r.i
	for !r.atEnd() {
		c := r.s[r.i]
		if !isAlpha(c) && (c < '0' || c > '9') && c != '_' && strings.IndexByte(more, c) < 0 && c < 0x80 {
			break
		}
		r.i++
	}
	return r.s[start:r.i]
}

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// variableName reads the name after a dollar sign, as in $name, ${any name}, $env:NAME and $global:name.
func (r *reader) variableName() string {
	if r.peek(0) == '{' {
		return strings.ToLower(r.bracketed().text)
	}
	if c := r.peek(0); c == '_' || c == '?' || c == '^' || c == '$' {
		r.i++
		if c != '_' {
			return string(c)
		}
		return "_" + strings.ToLower(r.name(""))
	}
	name := r.name("")
	if r.peek(0) == ':' && r.peek(1) != ':' && (isAlpha(r.peek(1)) || r.peek(1) == '_') {
		r.i++
		name += ":" + r.name("")
	}
	name = strings.ToLower(name)
	for _, prefix := range [...]string{"global:", "script:", "local:", "private:", "variable:", "using:"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return name
}
