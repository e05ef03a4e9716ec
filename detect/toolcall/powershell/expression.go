package powershell

import (
	"strconv"
	"strings"

	"guardrails/detect/toolcall/trace"
)

// expression() reads operands with the operators between them, and returns the result of the operators.
func (r *reader) expression() argument {
	left := r.operand()
	for !r.p.trace.Full {
		r.skipSpaces()
		c := r.peek(0)
		switch {
		case c == '+' && r.peek(1) != '+' && r.peek(1) != '=':
			r.i++
			r.skipLines()
			left = sum(left, r.operand())
			r.p.spendOn(left.objects)
		case c == '-' && isAlpha(r.peek(1)):
			r.i++
			name := strings.ToLower(r.name(""))
			r.skipLines()
			left = r.operator(left, name, r.operand())
		case c != 0 && strings.IndexByte("+-*/%=!.:?", c) >= 0:
			// Arithmetic and similar operators return numbers or unknown results. In both cases, the result counts as unknown.
			r.i++
			r.skipSpaces()
			if n := r.peek(0); n != 0 && strings.IndexByte(";|)}\n\r&", n) < 0 {
				right := r.operand()
				left = argument{objects: unknownFrom(left.taint() | right.taint())}
			}
		default:
			return left
		}
	}
	return left
}

// operand() reads one operand with the operators before it.
func (r *reader) operand() argument {
	r.skipSpaces()
	for c := r.peek(0); c == '!' || c == '+' || c == ',' || c == '-' && !isAlpha(r.peek(1)); c = r.peek(0) {
		r.i++
		r.skipSpaces()
	}
	switch c := r.peek(0); {
	case c == '-':
		r.i++
		name := strings.ToLower(r.name(""))
		return r.operator(argument{}, name, r.operand())
	case c == 0 || strings.IndexByte(";|)}\n\r&", c) >= 0:
		return argument{}
	}
	return r.argument(true)
}

// sum() returns the result of the operator +, which concatenates strings and appends to lists.
func sum(left, right argument) argument {
	if len(left.values) == 1 && len(right.values) == 1 {
		return argument{objects: objects{values: []trace.Value{limitText(trace.Concat(left.values[0], right.values[0]))}}}
	}
	left.add(right.objects)
	return left
}

// operator() applies an operator whose name is a word, such as -join. The result is known only if the operator builds a
// string.
func (r *reader) operator(left argument, name string, right argument) argument {
	r.p.spendOn(left.objects)
	r.p.spendOn(right.objects)
	switch name {
	case "f":
		return valueArgument(format(left.single(""), right.values))
	case "join":
		if len(left.values) == 0 {
			return valueArgument(right.single(""))
		}
		return valueArgument(left.single(right.single("").Text))
	case "replace", "creplace", "ireplace":
		return valueArgument(replaceWith(left.single(" "), right.values))
	case "split", "csplit", "isplit":
		return split(left, right)
	case "as":
		return left
	case "bxor":
		return argument{objects: unknownFrom(left.taint() | trace.Decoded)}
	}
	return argument{objects: unknownFrom(left.taint() | right.taint())}
}

func valueArgument(v trace.Value) argument {
	return argument{objects: objects{values: []trace.Value{limitText(v)}}}
}

// format() replaces {0}, {1}, … in a text with the arguments.
func format(text trace.Value, args []trace.Value) trace.Value {
	out := text
	for i, v := range args {
		if i >= 32 {
			break
		}
		placeholder := "{" + strconv.Itoa(i) + "}"
		if strings.Contains(out.Text, placeholder) {
			out = replaceAll(out, placeholder, v)
		}
	}
	return out
}

// replaceWith applies the operator -replace or the method Replace(). The parameter "args" holds the old text and the
// new text.
func replaceWith(text trace.Value, args []trace.Value) trace.Value {
	var with trace.Value
	if len(args) > 1 {
		with = args[1]
	}
	if len(args) > 0 && args[0].Text != "" {
		text.Partial = text.Partial || args[0].Partial
		return replaceAll(text, args[0].Text, with)
	}
	return text
}

// replaceAll replaces each occurrence of a text ("old") in a value, unless the result would be too long.
func replaceAll(in trace.Value, old string, with trace.Value) trace.Value {
	if n := strings.Count(in.Text, old); n*len(with.Text) > maxText {
		in.Partial = true
	} else {
		in.Text = strings.ReplaceAll(in.Text, old, with.Text)
	}
	in.Partial, in.Taint = in.Partial || with.Partial, in.Taint|with.Taint
	return limitText(in)
}

// split() applies the operator -split, which may have one operand or two.
func split(left, right argument) argument {
	v, separator := left.single(" "), right.single("").Text
	if len(left.values) == 0 {
		v, separator = right.single(" "), " "
	}
	if v.Partial || separator == "" {
		return argument{objects: objects{values: []trace.Value{v}}}
	}
	var out argument
	for _, text := range strings.SplitN(v.Text, separator, maxItems) {
		out.values = append(out.values, trace.Value{Text: text, Quality: trace.Quality{Taint: v.Taint}})
	}
	return out
}
