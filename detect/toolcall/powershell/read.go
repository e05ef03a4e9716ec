package powershell

import (
	"strings"

	"guardrails/detect/effect"
)

// powerReader reads a PowerShell text from left to right.
type powerReader struct {
	p    *powerShell
	s    string
	i    int
	base int
	// noComma is set between a method's brackets, where commas stand between arguments.
	noComma bool
}

func (r *powerReader) end() bool { return r.i >= len(r.s) }

// at is the byte at a distance, or 0 behind the end.
func (r *powerReader) at(n int) byte {
	if r.i+n < len(r.s) {
		return r.s[r.i+n]
	}
	return 0
}

// span is what was read since start, without the blanks at its end.
func (r *powerReader) span(start int) effect.Span {
	text := strings.TrimRight(r.s[min(start, r.i):r.i], " \t\r\n")
	return r.p.trace.Span(r.base+start, r.base+start+len(text))
}

// spaces skips blanks, continued lines and comments, but no line's end.
func (r *powerReader) spaces() {
	for !r.end() {
		switch c := r.s[r.i]; {
		case c == ' ' || c == '\t' || c == '\r' && r.at(1) != '\n' || c == '\v' || c == '\f':
			r.i++
		case c == '`' && r.at(1) == '\n':
			r.i += 2
		case c == '`' && r.at(1) == '\r' && r.at(2) == '\n':
			r.i += 3
		case c == '<' && r.at(1) == '#':
			r.skipPast("#>")
		case c == '#':
			r.skipLine()
		default:
			return
		}
	}
}

func (r *powerReader) skipPast(mark string) {
	if n := strings.Index(r.s[r.i:], mark); n >= 0 {
		r.i += n + len(mark)
		return
	}
	r.i = len(r.s)
}

func (r *powerReader) skipLine() {
	if n := strings.IndexByte(r.s[r.i:], '\n'); n >= 0 {
		r.i += n
		return
	}
	r.i = len(r.s)
}

// separators skips what stands between statements.
func (r *powerReader) separators() {
	for {
		r.spaces()
		switch r.at(0) {
		case '\n', '\r', ';':
			r.i++
		case '&', '|':
			if r.at(1) != r.s[r.i] {
				return
			}
			r.i += 2
		default:
			return
		}
	}
}

// lines skips blanks and lines' ends.
func (r *powerReader) lines() {
	for {
		r.spaces()
		if c := r.at(0); c != '\n' && c != '\r' {
			return
		}
		r.i++
	}
}

// bracketed steps over a bracket with everything up to the one that closes it and returns what stands between.
func (r *powerReader) bracketed() powerBlock {
	start := r.i + 1
	depth := 0
	for !r.end() {
		switch c := r.s[r.i]; c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		case '\'', '"':
			r.quoteEnd(c)
			continue
		case '@':
			if q := r.at(1); q == '\'' || q == '"' {
				r.hereEnd(q)
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
			if r.at(1) == '#' {
				r.skipPast("#>")
				continue
			}
		}
		r.i++
		if depth == 0 {
			return powerBlock{text: r.s[start : r.i-1], base: r.base + start}
		}
	}
	r.i = len(r.s)
	return powerBlock{text: r.s[min(start, len(r.s)):], base: r.base + start}
}

// quoteEnd steps over a quoted text and returns what stands in it, with its escapes.
func (r *powerReader) quoteEnd(quote byte) (string, int) {
	r.i++
	start := r.i
	for !r.end() {
		switch c := r.s[r.i]; {
		case c == '`' && quote == '"':
			r.i++
		case c == '$' && quote == '"' && r.at(1) == '(':
			r.i++
			r.bracketed()
			continue
		case c == quote && r.at(1) == quote:
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

// hereEnd steps over a here-string: from @' at a line's end to '@ at a line's start.
func (r *powerReader) hereEnd(quote byte) (string, int) {
	r.i += 2
	line := strings.IndexByte(r.s[r.i:], '\n')
	if line < 0 || strings.TrimSpace(r.s[r.i:r.i+line]) != "" {
		r.i--
		return r.quoteEnd(quote)
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

// name reads letters, digits and what else may stand in a name.
func (r *powerReader) name(more string) string {
	start := r.i
	for !r.end() {
		c := r.s[r.i]
		if !isAlpha(c) && (c < '0' || c > '9') && c != '_' && strings.IndexByte(more, c) < 0 && c < 0x80 {
			break
		}
		r.i++
	}
	return r.s[start:r.i]
}

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// variableName reads what follows a dollar sign: name, {any name}, env:NAME, global:name.
func (r *powerReader) variableName() string {
	if r.at(0) == '{' {
		return strings.ToLower(r.bracketed().text)
	}
	if c := r.at(0); c == '_' || c == '?' || c == '^' || c == '$' {
		r.i++
		if c != '_' {
			return string(c)
		}
		return "_" + strings.ToLower(r.name(""))
	}
	name := r.name("")
	if r.at(0) == ':' && r.at(1) != ':' && (isAlpha(r.at(1)) || r.at(1) == '_') {
		r.i++
		name += ":" + r.name("")
	}
	name = strings.ToLower(name)
	for _, prefix := range [...]string{"global:", "script:", "local:", "private:", "variable:", "using:"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return name
}
