package toolcall

import "strings"

// heredoc reads <<EOF of Perl, Ruby and PHP, and Perl's <STDIN>, <> and <*.txt>.
func (l *lexer) heredoc() bool {
	if l.tongue != perl && l.tongue != ruby && l.tongue != php {
		return false
	}
	if !strings.HasPrefix(l.rest(), "<<") {
		return l.tongue == perl && l.angle()
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
	l.heredocBody(mark, quote, i+btoi(quote != 0))
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
	inner := lexer{src: head, tongue: l.tongue, toks: l.toks, round: l.round}
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
