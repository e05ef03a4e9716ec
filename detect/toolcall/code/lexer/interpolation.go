package lexer

// interpolation.go finds the expressions in strings.

import "guardrails/detect/toolcall/trace"

// The type "interpolation" holds the position of an expression in a string. The source of the expression is
// body[from:to]. The field "next" is the index after the expression. If there is no expression, the field "to" is zero.
type interpolation struct{ from, to, next int }

// maxInterpolation is the maximum length in bytes of an expression in a string.
const maxInterpolation = 4096

// splitInterpolations splits a string into literals and expressions. It returns nil if there is no expression.
func (l *lexer) splitInterpolations(body string) []Part {
	var parts []Part
	start := 0
	for i := 0; i < len(body); i++ {
		if body[i] == '\\' {
			i++
			continue
		}
		found := l.interpolationAt(body, i)
		if found.to == 0 {
			continue
		}
		text, _ := decodeText(body[start:i], false)
		parts = append(parts, Part{Text: text}, Part{Text: body[found.from:found.to], IsCode: true})
		start = found.next
		i = found.next - 1
	}
	if parts == nil {
		return nil
	}
	text, _ := decodeText(body[min(start, len(body)):], false)
	return append(parts, Part{Text: text})
}

// interpolationAt returns the expression that begins at index i of a string.
func (l *lexer) interpolationAt(body string, i int) interpolation {
	c, after := body[i], byte(0)
	if i+1 < len(body) {
		after = body[i+1]
	}
	switch l.language {
	case trace.Python:
		if c == '{' && after != '{' {
			return bracketedInterpolation(body, i+1, i)
		}
	case trace.Ruby, trace.Elixir:
		if c == '#' && after == '{' {
			return bracketedInterpolation(body, i+2, i+1)
		}
	case trace.Perl, trace.PHP, trace.Groovy, trace.Script, trace.Julia:
		return l.dollarInterpolation(body, i, c, after)
	}
	return interpolation{}
}

// dollarInterpolation finds an expression such as ${x}, @{x}, {$x} or $x.
func (l *lexer) dollarInterpolation(body string, i int, c, after byte) interpolation {
	switch {
	case c == '@' && after == '{' && l.language == trace.Perl, c == '$' && after == '{' && l.language != trace.Julia:
		return bracketedInterpolation(body, i+2, i+1)
	case c == '{' && after == '$' && l.language == trace.PHP:
		return bracketedInterpolation(body, i+1, i)
	case c == '$' && after == '(' && l.language == trace.Julia:
		return bracketedInterpolation(body, i+2, i+1)
	case c == '$' && isLetter(after) && l.language != trace.Script:
		return l.variableInterpolation(body, i)
	}
	return interpolation{}
}

// bracketedInterpolation finds an expression in brackets. The parameter "from" is the index at which the expression
// begins. The parameter "open" is the index of the opening bracket.
func bracketedInterpolation(body string, from, open int) interpolation {
	end := closingBracket(body, open)
	return interpolation{from: from, to: end, next: min(end+1, len(body))}
}

// variableInterpolation finds a variable such as $x or $x[0].
func (l *lexer) variableInterpolation(body string, i int) interpolation {
	end := i + 1
	for end < len(body) && isWordByte(body[end]) {
		end++
	}
	if end < len(body) && (body[end] == '{' || body[end] == '[') && l.language == trace.Perl {
		end = min(closingBracket(body, end)+1, len(body))
	}
	if l.language == trace.Julia || l.language == trace.Groovy {
		i++
	}
	return interpolation{from: i, to: end, next: end}
}

// closingBracket returns the index of the bracket that closes the bracket at index i. It searches at most
// maxInterpolation bytes, because many unclosed brackets would otherwise take quadratic time. If it finds no closing
// bracket, it returns the index at which the search ends.
func closingBracket(body string, i int) int {
	depth := 0
	end := min(len(body), i+maxInterpolation)
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
