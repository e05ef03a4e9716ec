package powershell

import (
	"strconv"
	"strings"

	"guardrails/detect/toolcall/trace"
)

// expressionValue reads operands and the operators between them.
func (r *powerReader) expressionValue() powerArg {
	left := r.operand()
	for !r.p.trace.Full {
		r.spaces()
		c := r.at(0)
		switch {
		case c == '+' && r.at(1) != '+' && r.at(1) != '=':
			r.i++
			r.lines()
			left = sum(left, r.operand())
		case c == '-' && isAlpha(r.at(1)):
			r.i++
			name := strings.ToLower(r.name(""))
			r.lines()
			left = r.operator(left, name, r.operand())
		case c != 0 && strings.IndexByte("+-*/%=!.:?", c) >= 0:
			// Arithmetic and the like: what comes out is a number or is not known.
			r.i++
			r.spaces()
			if n := r.at(0); n != 0 && strings.IndexByte(";|)}\n\r&", n) < 0 {
				right := r.operand()
				left = powerArg{powerData: unknownWith(left.taint() | right.taint())}
			}
		default:
			return left
		}
	}
	return left
}

// operand reads one operand with what stands before it.
func (r *powerReader) operand() powerArg {
	r.spaces()
	for c := r.at(0); c == '!' || c == '+' || c == ',' || c == '-' && !isAlpha(r.at(1)); c = r.at(0) {
		r.i++
		r.spaces()
	}
	switch c := r.at(0); {
	case c == '-':
		r.i++
		name := strings.ToLower(r.name(""))
		return r.operator(powerArg{}, name, r.operand())
	case c == 0 || strings.IndexByte(";|)}\n\r&", c) >= 0:
		return powerArg{}
	}
	return r.argument(true)
}

// sum adds two operands: texts are joined, lists lengthened.
func sum(left, right powerArg) powerArg {
	if len(left.list) == 1 && len(right.list) == 1 {
		return powerArg{powerData: powerData{list: []trace.Value{capped(trace.Concat(left.list[0], right.list[0]))}}}
	}
	left.add(right.powerData)
	return left
}

// operator applies a named operator as far as the outcome matters: those that put texts together.
func (r *powerReader) operator(left powerArg, name string, right powerArg) powerArg {
	switch name {
	case "f":
		return one(format(left.single(""), right.list))
	case "join":
		if len(left.list) == 0 {
			return one(right.single(""))
		}
		return one(left.single(right.single("").Text))
	case "replace", "creplace", "ireplace":
		return one(replaced(left.single(" "), right.list))
	case "split", "csplit", "isplit":
		return splitData(left, right)
	case "as":
		return left
	case "bxor":
		return powerArg{powerData: unknownWith(left.taint() | trace.Decoded)}
	}
	return powerArg{powerData: unknownWith(left.taint() | right.taint())}
}

func one(v trace.Value) powerArg {
	return powerArg{powerData: powerData{list: []trace.Value{capped(v)}}}
}

// format fills {0}, {1} in a text.
func format(text trace.Value, args []trace.Value) trace.Value {
	out := text
	for i, v := range args {
		if i >= 32 {
			break
		}
		mark := "{" + strconv.Itoa(i) + "}"
		if strings.Contains(out.Text, mark) {
			out = replaceAll(out, mark, v)
		}
	}
	return out
}

func replaced(text trace.Value, args []trace.Value) trace.Value {
	with := trace.Value{}
	if len(args) > 1 {
		with = args[1]
	}
	if len(args) > 0 && args[0].Text != "" {
		text.Partial = text.Partial || args[0].Partial
		return replaceAll(text, args[0].Text, with)
	}
	return text
}

// replaceAll replaces a text within what a value may hold.
func replaceAll(in trace.Value, old string, with trace.Value) trace.Value {
	if n := strings.Count(in.Text, old); n*len(with.Text) > maxPowerText {
		in.Partial = true
	} else {
		in.Text = strings.ReplaceAll(in.Text, old, with.Text)
	}
	in.Partial, in.Taint = in.Partial || with.Partial, in.Taint|with.Taint
	return capped(in)
}

func splitData(left, right powerArg) powerArg {
	v, by := left.single(" "), right.single("").Text
	if len(left.list) == 0 {
		v, by = right.single(" "), " "
	}
	if v.Partial || by == "" {
		return powerArg{powerData: powerData{list: []trace.Value{v}}}
	}
	var out powerArg
	for _, text := range strings.SplitN(v.Text, by, maxItems) {
		out.list = append(out.list, trace.Value{Text: text, Quality: trace.Quality{Taint: v.Taint}})
	}
	return out
}
