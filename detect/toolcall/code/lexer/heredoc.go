package lexer

// heredoc.go parses the here-documents of Perl, Ruby and PHP, and the angle brackets of Perl.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// heredoc parses here-documents such as <<EOF in Perl, Ruby and PHP, and Perl's <STDIN>, <> and <*.txt>.
func (l *lexer) heredoc() bool {
	if l.language != trace.Perl && l.language != trace.Ruby && l.language != trace.PHP {
		return false
	}
	if !strings.HasPrefix(l.remaining(), "<<") {
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

// heredocBody adds the lines before the end mark as a text. After that, the lexer continues with the rest of the line
// that began the here-document.
func (l *lexer) heredocBody(mark string, quote byte, after int) {
	after = min(after, len(l.src))
	eol := strings.IndexByte(l.src[after:], '\n')
	if eol < 0 {
		l.pos = len(l.src)
		return
	}
	head, body := l.src[after:after+eol], l.src[after+eol+1:]
	end, next := findEndMark(body, mark)
	l.pos = after
	l.addText(body[:end], quote != '\'', quote == '\'')
	inner := lexer{src: head, language: l.language, toks: l.toks, brackets: l.brackets}
	for inner.pos < len(head) {
		inner.next()
	}
	l.toks, l.brackets = inner.toks, inner.brackets
	l.pos = after + eol + 1 + next
	if l.brackets == 0 {
		l.add(Token{Kind: Line})
	}
}

// findEndMark finds the first line that begins with the end mark. It ignores white space before the mark. It returns
// the index where this line begins, and the index after the mark.
func findEndMark(body, mark string) (end, next int) {
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

// angle() parses Perl's <STDIN>, <$fh> and <*.txt>.
func (l *lexer) angle() bool {
	if l.afterOperand() {
		return false
	}
	line, _, _ := strings.Cut(l.remaining()[:min(len(l.remaining()), 256)], "\n")
	end := strings.IndexByte(line, '>')
	if end < 0 || strings.ContainsAny(line[:end], " =;(") {
		return false
	}
	body := line[1:end]
	l.pos += end + 1
	if strings.ContainsAny(body, "*./") {
		l.add(Token{Kind: Text, Text: body})
		return true
	}
	l.add(Token{Kind: Name, Text: "<" + body + ">"})
	return true
}
