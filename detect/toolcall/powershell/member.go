package powershell

import (
	"strconv"
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// members() evaluates the members that follow a value, such as .Name, .Name(…) and [index].
func (r *reader) members(arg argument) argument {
	for !r.p.trace.Full && r.isMember() {
		start := r.i
		if r.peek(0) == '[' {
			arg.objects = itemAt(arg.objects, r.p.child(r.bracketed(), objects{}))
			continue
		}
		r.i += 1 + words.Btoi(r.peek(0) == ':')
		arg = r.member(start, "", arg)
	}
	return arg
}

// itemAt returns an item of a list, or the whole list if the index is unknown.
func itemAt(list, index objects) objects {
	n, err := strconv.Atoi(index.single("").Text)
	switch {
	case len(list.values) < 2:
		return list
	case err == nil && n < 0:
		n += len(list.values)
	}
	if err != nil || n < 0 || n >= len(list.values) {
		return list
	}
	return objects{values: list.values[n : n+1]}
}

// typeExpression reads a type in brackets, and the cast or the call of a static method that begins with this type.
func (r *reader) typeExpression() argument {
	start := r.i
	name := typeName(r.bracketed().text)
	for at := r.i; r.peek(0) == '[' || r.peek(0) == ' '; at = r.i {
		if r.skipSpaces(); r.peek(0) != '[' {
			r.i = at
			break
		}
		// In a series of casts, the last cast is the innermost one. PowerShell applies it first.
		name = typeName(r.bracketed().text)
	}
	if r.peek(0) == ':' && r.peek(1) == ':' {
		r.i += 2
		return r.members(r.member(start, name, typeArgument(name)))
	}
	r.skipSpaces()
	if c := r.peek(0); c == 0 || strings.IndexByte(";|)}\n\r,&=-+*", c) >= 0 {
		return typeArgument(name)
	}
	arg := r.element(true)
	if name == "char" || name == "char[]" {
		arg.objects = decodeChars(arg.objects)
	}
	return arg
}

// typeArgument returns an argument that stands for a type. Static methods can be called on such an argument.
func typeArgument(name string) argument {
	return valueArgument(trace.Value{Text: "[" + name + "]", Quality: trace.Quality{Partial: true}})
}

func typeName(text string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "system.")
}

// decodeChars converts numbers to characters. It marks the text as decoded, because a script can hide a text by writing
// the text as numbers.
func decodeChars(d objects) objects {
	out := objects{}
	for _, v := range d.values {
		n, err := strconv.ParseInt(strings.TrimSpace(v.Text), 0, 32)
		if err == nil && !v.Partial {
			v.Text, v.Taint = string(rune(n)), v.Taint|trace.Decoded
		}
		out.values = append(out.values, v)
	}
	return out
}

// member() reads the name of a member and, if the member is a method, its arguments.
func (r *reader) member(start int, typeName string, target argument) argument {
	var name string
	if c := r.peek(0); c == '\'' || c == '"' {
		name, _ = r.quotedText(c)
	} else if c == '$' {
		name = r.dollar().single("").Text
	} else {
		name = r.name("")
	}
	name = strings.ToLower(name)
	if r.peek(0) != '(' {
		return property(typeName, name, target)
	}
	block := r.bracketed()
	inner := &reader{p: r.p, s: block.text, offset: block.offset, noComma: true}
	var args []argument
	for !inner.atEnd() && !r.p.trace.Full && len(args) < 256 {
		inner.skipLines()
		at := inner.i
		args = append(args, inner.expression())
		inner.skipLines()
		if inner.peek(0) == ',' || inner.i == at {
			inner.i++
		}
	}
	m := &methodCall{p: r.p, typeName: typeName, name: name, target: target, args: args, span: r.span(start)}
	return m.call()
}

func property(typeName, name string, target argument) argument {
	if name == words.Among(name, "fullname path pspath content value name utf8 ascii unicode default rawcontent "+
		"bigendianunicode") {
		if typeName != "" || name == "unicode" {
			return valueArgument(trace.Value{Text: "[" + typeName + "]::" + name, Quality: trace.Quality{Partial: true}})
		}
		return target
	}
	if at := target.single("").Text; strings.HasSuffix(at, profileName) { // as in $PROFILE.CurrentUserAllHosts
		switch name {
		case "currentusercurrenthost":
			return target
		case "currentuserallhosts":
			return valueArgument(trace.Value{Text: strings.TrimSuffix(at, profileName) + "profile.ps1"})
		case "allusersallhosts", "alluserscurrenthost":
			return valueArgument(trace.Value{Text: "C:/Program Files/PowerShell/7/profile.ps1"})
		}
	}
	return argument{objects: unknownFrom(target.taint())}
}
