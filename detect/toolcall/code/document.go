package code

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// heredoc reads <<EOF of Perl, Ruby and PHP, and Perl's <STDIN>, <> and <*.txt>.
func (l *lexer) heredoc() bool {
	if l.language != trace.Perl && l.language != trace.Ruby && l.language != trace.PHP {
		return false
	}
	if !strings.HasPrefix(l.rest(), "<<") {
		return l.language == trace.Perl && l.angle()
	}
	i := l.pos + 2
	if l.byteAt(i) == '<' || l.byteAt(i) == '~' || l.byteAt(i) == '-' {
		i++
	}
	quote := byte(0)
	if c := l.byteAt(i); c == '"' || c == '\'' {
		quote = c
		i++
	}
	start := i
	for i < len(l.src) && isWordByte(l.src[i]) {
		i++
	}
	mark := l.src[start:i]
	if mark == "" || quote == 0 && strings.ToUpper(mark) != mark {
		return false
	}
	l.heredocBody(mark, quote, i+words.Btoi(quote != 0))
	return true
}

// heredocBody takes the lines up to the mark out of the source; the rest of the first line is read before them.
func (l *lexer) heredocBody(mark string, quote byte, after int) {
	after = min(after, len(l.src))
	eol := strings.IndexByte(l.src[after:], '\n')
	if eol < 0 {
		l.pos = len(l.src)
		return
	}
	head, body := l.src[after:after+eol], l.src[after+eol+1:]
	end, next := markLine(body, mark)
	l.pos = after
	l.addText(body[:end], quote != '\'', quote == '\'')
	inner := lexer{src: head, language: l.language, toks: l.toks, round: l.round}
	for inner.pos < len(head) {
		inner.next()
	}
	l.toks, l.round = inner.toks, inner.round
	l.pos = after + eol + 1 + next
	if l.round == 0 {
		l.add(token{kind: tokLine})
	}
}

// markLine finds the line that holds only the mark: where it begins, and where the next one does.
func markLine(body, mark string) (end, next int) {
	for pos := 0; pos < len(body); {
		line, _, _ := strings.Cut(body[pos:], "\n")
		trimmed := strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(trimmed, mark); ok && (rest == "" || !isWordByte(rest[0])) {
			return pos, pos + strings.Index(line, mark) + len(mark)
		}
		pos += len(line) + 1
	}
	return len(body), len(body)
}

// angle reads Perl's <STDIN>, <$fh> and <*.txt>.
func (l *lexer) angle() bool {
	if l.afterOperand() {
		return false
	}
	line, _, _ := strings.Cut(l.rest()[:min(len(l.rest()), 256)], "\n")
	end := strings.IndexByte(line, '>')
	if end < 0 || strings.ContainsAny(line[:end], " =;(") {
		return false
	}
	body := line[1:end]
	l.pos += end + 1
	if strings.ContainsAny(body, "*./") {
		l.add(token{kind: tokText, text: body})
		return true
	}
	l.add(token{kind: tokName, text: "<" + body + ">"})
	return true
}

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
	switch l.language {
	case trace.Python:
		if c == '{' && after != '{' {
			return bracketed(body, i+1, i)
		}
	case trace.Ruby, trace.Elixir:
		if c == '#' && after == '{' {
			return bracketed(body, i+2, i+1)
		}
	case trace.Perl, trace.PHP, trace.Groovy, trace.Script, trace.Julia:
		return l.dollarHole(body, i, c, after)
	}
	return hole{}
}

func (l *lexer) dollarHole(body string, i int, c, after byte) hole {
	switch {
	case c == '@' && after == '{' && l.language == trace.Perl, c == '$' && after == '{' && l.language != trace.Julia:
		return bracketed(body, i+2, i+1)
	case c == '{' && after == '$' && l.language == trace.PHP:
		return bracketed(body, i+1, i)
	case c == '$' && after == '(' && l.language == trace.Julia:
		return bracketed(body, i+2, i+1)
	case c == '$' && isLetter(after) && l.language != trace.Script:
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
	if end < len(body) && (body[end] == '{' || body[end] == '[') && l.language == trace.Perl {
		end = min(closing(body, end)+1, len(body))
	}
	if l.language == trace.Julia || l.language == trace.Groovy {
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
