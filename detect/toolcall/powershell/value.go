package powershell

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// powerArg is one argument of a command: a value or a list of them, or a block that is not yet run.
type powerArg struct {
	powerData
	block  powerBlock
	isCode bool
	quoted bool // begins with a quote, so it is no parameter's name
	table  powerBlock
}

// argument reads an argument with the elements that follow its commas.
func (r *powerReader) argument(expression bool) powerArg {
	arg := r.element(expression)
	for !r.p.trace.Full {
		at := r.i
		r.spaces()
		if r.at(0) != ',' || r.noComma {
			r.i = at
			return arg
		}
		r.i++
		r.lines()
		if r.end() || strings.IndexByte(";|)}", r.s[r.i]) >= 0 {
			return arg
		}
		next := r.element(expression)
		arg.add(next.powerData)
		if next.isCode {
			arg.block, arg.isCode = next.block, true
		}
	}
	return arg
}

// element reads what stands together without a blank.
func (r *powerReader) element(expression bool) powerArg {
	arg := powerArg{quoted: r.at(0) == '\'' || r.at(0) == '"'}
	switch {
	case r.at(0) == '{':
		arg.block, arg.isCode = r.bracketed(), true
		arg.list = []trace.Value{{Text: "{" + arg.block.text + "}"}}
		return r.withMembers(arg)
	case r.at(0) == '@' && r.at(1) == '{':
		r.i++
		arg.table = r.bracketed()
		r.p.child(arg.table, powerData{})
		arg.list = []trace.Value{{Text: "@{…}", Quality: trace.Quality{Partial: true}}}
		return arg
	case r.at(0) == '[' && expression:
		return r.typed()
	case expression && r.at(0) >= '0' && r.at(0) <= '9':
		return r.withMembers(one(trace.Value{Text: r.name(".")}))
	}
	first := true
	var word powerWord
	for !r.end() {
		part, more := r.part(&word, first)
		if part != nil {
			if !first || !r.endsWord() {
				word.add(part.single(" "))
			} else {
				arg.powerData = *part
				return r.withMembers(arg)
			}
		}
		if !more {
			break
		}
		first = false
		if r.isMember() && (arg.quoted || part != nil) {
			arg.list = []trace.Value{word.value()}
			return r.withMembers(arg)
		}
		if expression && arg.quoted {
			break
		}
	}
	arg.list = []trace.Value{word.value()}
	return arg
}

// powerWord is a word that is being put together.
type powerWord struct {
	text strings.Builder
	meta trace.Value
}

func (w *powerWord) add(v trace.Value) {
	w.text.WriteString(v.Text)
	w.meta.Partial, w.meta.Glob, w.meta.Taint = w.meta.Partial || v.Partial, w.meta.Glob || v.Glob, w.meta.Taint|v.Taint
	if w.text.Len() > 4*maxPowerText {
		text := w.text.String()[:maxPowerText]
		w.text.Reset()
		w.text.WriteString(text)
		w.meta.Partial = true
	}
}

func (w *powerWord) value() trace.Value {
	w.meta.Text = w.text.String()
	return w.meta
}

// endsWord reports whether the word that is being read ends here or goes on with a member.
func (r *powerReader) endsWord() bool {
	c := r.at(0)
	return c == 0 || strings.IndexByte(" \t\r\n;|&,(){}+*/=<>", c) >= 0 || r.isMember()
}

// isMember reports whether .Name, ::Name or [index] follows.
func (r *powerReader) isMember() bool {
	switch r.at(0) {
	case '.':
		return isAlpha(r.at(1)) || r.at(1) == '\'' || r.at(1) == '"' || r.at(1) == '$'
	case ':':
		return r.at(1) == ':'
	case '[':
		return true
	}
	return false
}

// part reads one part of a word: known text is added to the word, data that stands for itself is returned.
func (r *powerReader) part(word *powerWord, first bool) (*powerData, bool) {
	switch c := r.s[r.i]; c {
	case ' ', '\t', '\r', '\n', ';', '|', '&', ',', ')', '}', '{', '<', '>':
		return nil, false
	case '\'':
		text, _ := r.quoteEnd(c)
		word.text.WriteString(strings.ReplaceAll(text, "''", "'"))
	case '"':
		text, at := r.quoteEnd(c)
		word.add(r.expand(text, at))
	case '@':
		return r.atSign(word)
	case '(':
		if !first {
			return nil, false
		}
		data := r.p.child(r.bracketed(), powerData{})
		return &data, true
	case '$':
		data := r.dollar()
		return &data, true
	case '`':
		r.i = min(r.i+2, len(r.s))
		word.text.WriteString(r.s[r.i-1 : r.i])
	default:
		r.plain(word)
	}
	return nil, true
}

// plain adds unquoted text up to the next character that means something.
func (r *powerReader) plain(word *powerWord) {
	start := r.i
	for !r.end() && strings.IndexByte(" \t\r\n;|&,(){}<>'\"`$@", r.s[r.i]) < 0 {
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

func (r *powerReader) atSign(word *powerWord) (*powerData, bool) {
	switch next := r.at(1); next {
	case '(':
		r.i++
		data := r.p.child(r.bracketed(), powerData{})
		return &data, true
	case '\'':
		text, _ := r.hereEnd(next)
		word.text.WriteString(text)
	case '"':
		text, at := r.hereEnd(next)
		word.add(r.expand(text, at))
	default:
		r.i++
		word.text.WriteByte('@')
	}
	return nil, true
}

// dollar reads a variable or a subexpression.
func (r *powerReader) dollar() powerData {
	r.i++
	if r.at(0) == '(' {
		return r.p.child(r.bracketed(), powerData{})
	}
	if c := r.at(0); !isAlpha(c) && strings.IndexByte("_{?^$", c) < 0 || c == 0 {
		return textData("$")
	}
	return r.p.variable(r.variableName())
}

// expand is a text in double quotes with its variables and escapes put in.
func (r *powerReader) expand(text string, at int) trace.Value {
	if !strings.ContainsAny(text, "$`\"") {
		return trace.Value{Text: text}
	}
	inner := &powerReader{p: r.p, s: text, base: r.base + at}
	var out trace.Value
	var b strings.Builder
	for !inner.end() && !r.p.trace.Full {
		switch c := inner.s[inner.i]; {
		case c == '`' && inner.at(1) != 0:
			b.WriteString(tickEscape(inner.at(1)))
			inner.i += 2
		case c == '"' && inner.at(1) == '"':
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
	return capped(out)
}

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
