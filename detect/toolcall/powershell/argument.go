package powershell

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// The type "argument" holds an argument of a command, or an operand of an operator. It is a value, a list of
// values, or a block that has not run yet.
type argument struct {
	objects
	block  fragment
	isCode bool
	quoted bool // the argument begins with a quote, so it is never the name of a parameter
	table  fragment
}

// argument() reads an argument, which may be a list of values separated by commas.
func (r *reader) argument(expression bool) argument {
	arg := r.element(expression)
	for !r.p.trace.Full {
		at := r.i
		r.skipSpaces()
		if r.peek(0) != ',' || r.noComma {
			r.i = at
			return arg
		}
		r.i++
		r.skipLines()
		if r.atEnd() || strings.IndexByte(";|)}", r.s[r.i]) >= 0 {
			return arg
		}
		next := r.element(expression)
		arg.add(next.objects)
		if next.isCode {
			arg.block, arg.isCode = next.block, true
		}
	}
	return arg
}

// element() reads one element of an argument: a word, a block, a hash table or a value with its members.
func (r *reader) element(expression bool) argument {
	arg := argument{quoted: r.peek(0) == '\'' || r.peek(0) == '"'}
	switch {
	case r.peek(0) == '{':
		arg.block, arg.isCode = r.bracketed(), true
		arg.values = []trace.Value{{Text: "{" + arg.block.text + "}"}}
		return r.members(arg)
	case r.peek(0) == '@' && r.peek(1) == '{':
		r.i++
		arg.table = r.bracketed()
		r.p.child(arg.table, objects{})
		arg.values = []trace.Value{{Text: "@{…}", Quality: trace.Quality{Partial: true}}}
		return arg
	case r.peek(0) == '[' && expression:
		return r.typeExpression()
	case expression && r.peek(0) >= '0' && r.peek(0) <= '9':
		return r.members(valueArgument(trace.Value{Text: r.name(".")}))
	}
	first := true
	var word wordBuilder
	for !r.atEnd() {
		part, more := r.part(&word, first)
		if part != nil {
			if !first || !r.endsWord() || !expression && r.peek(0) == '/' {
				word.add(part.single(" "))
			} else {
				arg.objects = *part
				arg.findBlock()
				return r.members(arg)
			}
		}
		if !more {
			break
		}
		first = false
		if r.isMember() && (arg.quoted || part != nil) {
			arg.values = []trace.Value{word.value()}
			return r.members(arg)
		}
		if expression && arg.quoted {
			break
		}
	}
	arg.values = []trace.Value{word.value()}
	return arg
}

// findBlock turns an argument into a block if the text of the argument begins with a brace. For a block in a variable
// or in brackets, the parser has only this text.
func (a *argument) findBlock() {
	if text := a.single("").Text; len(a.values) == 1 && len(text) > 1 && text[0] == '{' && !a.values[0].Partial {
		a.block, a.isCode = fragment{text: text[1 : len(text)-1]}, true
	}
}

type wordBuilder struct {
	text strings.Builder
	meta trace.Value
}

func (w *wordBuilder) add(v trace.Value) {
	w.text.WriteString(v.Text)
	w.meta.Partial, w.meta.Glob, w.meta.Taint = w.meta.Partial || v.Partial, w.meta.Glob || v.Glob, w.meta.Taint|v.Taint
	if w.text.Len() > 4*maxText {
		text := w.text.String()[:maxText]
		w.text.Reset()
		w.text.WriteString(text)
		w.meta.Partial = true
	}
}

func (w *wordBuilder) value() trace.Value {
	w.meta.Text = w.text.String()
	return w.meta
}

// endsWord reports whether the current word ends at the current position. It also returns true if a member such as
// .Name follows.
func (r *reader) endsWord() bool {
	c := r.peek(0)
	return c == 0 || strings.IndexByte(" \t\r\n;|&,(){}+*/=<>", c) >= 0 || r.isMember()
}

// isMember reports whether .Name, ::Name or [index] follows.
func (r *reader) isMember() bool {
	switch r.peek(0) {
	case '.':
		return isAlpha(r.peek(1)) || r.peek(1) == '\'' || r.peek(1) == '"' || r.peek(1) == '$'
	case ':':
		return r.peek(1) == ':'
	case '[':
		return true
	}
	return false
}

// part() reads one part of a word. If the part is a text, part() adds the text to the word. If the part is a variable
// or an expression, part() returns the value of the part. part() returns false at the end of the word.
func (r *reader) part(word *wordBuilder, first bool) (*objects, bool) {
	switch c := r.s[r.i]; c {
	case ' ', '\t', '\r', '\n', ';', '|', '&', ',', ')', '}', '{', '<', '>':
		return nil, false
	case '\'':
		text, _ := r.quotedText(c)
		word.text.WriteString(strings.ReplaceAll(text, "''", "'"))
	case '"':
		text, at := r.quotedText(c)
		word.add(r.expand(text, at))
	case '@':
		return r.atSign(word)
	case '(':
		if !first {
			return nil, false
		}
		data := r.p.child(r.bracketed(), objects{})
		return &data, true
	case '$':
		data := r.dollar()
		return &data, true
	case '`':
		r.i = min(r.i+2, len(r.s))
		word.text.WriteString(r.s[r.i-1 : r.i])
	default:
		r.plainText(word)
	}
	return nil, true
}

// plainText adds the text up to the next special character.
func (r *reader) plainText(word *wordBuilder) {
	start := r.i
	for !r.atEnd() && strings.IndexByte(" \t\r\n;|&,(){}<>'\"`$@", r.s[r.i]) < 0 {
		r.i++
	}
	if r.i == start {
		r.i++
	}
	word.text.WriteString(r.s[start:r.i])
	if strings.ContainsAny(r.s[start:r.i], "*?") {
		word.meta.Glob = true
	}
}

// atSign reads an array, a here-string, or a plain @.
func (r *reader) atSign(word *wordBuilder) (*objects, bool) {
	switch next := r.peek(1); next {
	case '(':
		r.i++
		data := r.p.child(r.bracketed(), objects{})
		return &data, true
	case '\'':
		text, _ := r.hereString(next)
		word.text.WriteString(text)
	case '"':
		text, at := r.hereString(next)
		word.add(r.expand(text, at))
	default:
		r.i++
		word.text.WriteByte('@')
	}
	return nil, true
}

// dollar() reads a variable or a subexpression, which both begin with a dollar sign.
func (r *reader) dollar() objects {
	r.i++
	if r.peek(0) == '(' {
		return r.p.child(r.bracketed(), objects{})
	}
	if c := r.peek(0); !isAlpha(c) && strings.IndexByte("_{?^$", c) < 0 || c == 0 {
		return textObject("$")
	}
	return r.p.variable(r.variableName())
}

// expand() replaces the variables and escapes in a text that was in double quotes in the source, and returns the
// result.
func (r *reader) expand(text string, at int) trace.Value {
	if !strings.ContainsAny(text, "$`\"") {
		return trace.Value{Text: text}
	}
	inner := &reader{p: r.p, s: text, offset: r.offset + at}
	var out trace.Value
	var b strings.Builder
	for !inner.atEnd() && !r.p.trace.Full {
		switch c := inner.s[inner.i]; {
		case c == '`' && inner.peek(1) != 0:
			b.WriteString(tickEscape(inner.peek(1)))
			inner.i += 2
		case c == '"' && inner.peek(1) == '"':
			b.WriteByte('"')
			inner.i += 2
		case c == '$':
			data := inner.dollar()
			v := data.single(" ")
			b.WriteString(v.Text)
			out.Partial, out.Taint = out.Partial || v.Partial, out.Taint|v.Taint
		default:
			b.WriteByte(c)
			inner.i++
		}
	}
	out.Text = b.String()
	return limitText(out)
}

// tickEscape returns the character for an escape sequence, which is a backtick and a letter.
func tickEscape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case '0':
		return ""
	}
	return string(rune(c))
}
