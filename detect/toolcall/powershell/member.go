package powershell

import (
	"strconv"
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// withMembers follows the members behind a value: .Name, .Name(…), [index].
func (r *powerReader) withMembers(arg powerArg) powerArg {
	for !r.p.trace.Full && r.isMember() {
		start := r.i
		if r.at(0) == '[' {
			arg.powerData = indexedData(arg.powerData, r.p.child(r.bracketed(), powerData{}))
			continue
		}
		r.i += 1 + words.Btoi(r.at(0) == ':')
		arg = r.member(start, "", arg)
	}
	return arg
}

// indexedData is an item of a list, or all of them when it is not known which.
func indexedData(d, index powerData) powerData {
	n, err := strconv.Atoi(index.single("").Text)
	switch {
	case len(d.list) < 2:
		return d
	case err == nil && n < 0:
		n += len(d.list)
	}
	if err != nil || n < 0 || n >= len(d.list) {
		return d
	}
	return powerData{list: d.list[n : n+1]}
}

// typed reads a type in brackets: a cast, or a call of one of its methods.
func (r *powerReader) typed() powerArg {
	start := r.i
	name := typeName(r.bracketed().text)
	for at := r.i; r.at(0) == '[' || r.at(0) == ' '; at = r.i {
		if r.spaces(); r.at(0) != '[' {
			r.i = at
			break
		}
		// The innermost of several casts is the one that is done first.
		name = typeName(r.bracketed().text)
	}
	if r.at(0) == ':' && r.at(1) == ':' {
		r.i += 2
		return r.withMembers(r.member(start, name, one(trace.Value{Text: "[" + name + "]", Quality: trace.Quality{Partial: true}})))
	}
	r.spaces()
	if c := r.at(0); c == 0 || strings.IndexByte(";|)}\n\r,&=-+*", c) >= 0 {
		return one(trace.Value{Text: "[" + name + "]", Quality: trace.Quality{Partial: true}})
	}
	arg := r.element(true)
	if name == "char" || name == "char[]" {
		arg.powerData = charData(arg.powerData)
	}
	return arg
}

func typeName(text string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "system.")
}

// charData turns numbers into the letters they stand for, which hides what they spell.
func charData(d powerData) powerData {
	out := powerData{}
	for _, v := range d.list {
		n, err := strconv.ParseInt(strings.TrimSpace(v.Text), 0, 32)
		if err == nil && !v.Partial {
			v.Text, v.Taint = string(rune(n)), v.Taint|trace.Decoded
		}
		out.list = append(out.list, v)
	}
	return out
}

// member reads a member's name and, when it is a method, its arguments.
func (r *powerReader) member(start int, typeName string, target powerArg) powerArg {
	var name string
	if c := r.at(0); c == '\'' || c == '"' {
		name, _ = r.quoteEnd(c)
	} else if c == '$' {
		name = r.dollar().single("").Text
	} else {
		name = r.name("")
	}
	name = strings.ToLower(name)
	if r.at(0) != '(' {
		return property(typeName, name, target)
	}
	block := r.bracketed()
	inner := &powerReader{p: r.p, s: block.text, base: block.base, noComma: true}
	var args []powerArg
	for !inner.end() && !r.p.trace.Full && len(args) < 256 {
		inner.lines()
		at := inner.i
		args = append(args, inner.expressionValue())
		inner.lines()
		if inner.at(0) == ',' || inner.i == at {
			inner.i++
		}
	}
	m := &powerMethod{p: r.p, typeName: typeName, name: name, target: target, args: args, span: r.span(start)}
	return m.call()
}

// property is what a member that is no method holds.
func property(typeName, name string, target powerArg) powerArg {
	if name == words.Among(name, "fullname path pspath content value name utf8 ascii unicode default rawcontent bigendianunicode") {
		if typeName != "" || name == "unicode" {
			return one(trace.Value{Text: "[" + typeName + "]::" + name, Quality: trace.Quality{Partial: true}})
		}
		return target
	}
	return powerArg{powerData: unknownWith(target.taint())}
}
