package toolcall

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// expansion handles ${x:-y} and its relatives.
func (b *fieldBuilder) expansion(e *syntax.Expansion, name string, list []value, known, quoted bool) {
	other := func() value { return b.a.single(e.Word, b.sc) }
	empty := len(list) == 0 || len(list) == 1 && list[0].text == ""
	if e.Op == syntax.DefaultUnset || e.Op == syntax.AssignUnset || e.Op == syntax.AlternateUnset {
		empty = len(list) == 0
	}
	if name == "_" {
		known = false
	}
	switch e.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		if !known || empty {
			b.values([]value{other()}, quoted)
			return
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if !known || empty {
			v := other()
			b.sc.set(name, variable{values: []value{v}})
			b.values([]value{v}, quoted)
			return
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if v := other(); !empty || !known {
			v.partial = v.partial || !known
			b.values([]value{v}, quoted)
		}
		return
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if !known {
			b.unknown("$"+name, 0)
			return
		}
	default:
		b.transform(e, name, list, known, quoted)
		return
	}
	b.values(list, quoted)
}

// transform handles ${x#a}, ${x%a}, ${x^^} and ${x,,} of known values with literal patterns.
func (b *fieldBuilder) transform(e *syntax.Expansion, name string, list []value, known, quoted bool) {
	pattern := b.a.single(e.Word, b.sc)
	if !known || len(list) != 1 || pattern.partial || strings.ContainsAny(pattern.text, "*?[") {
		b.unknown("$"+name, 0)
		return
	}
	v := list[0]
	switch e.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		v.text = strings.TrimPrefix(v.text, pattern.text)
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		v.text = strings.TrimSuffix(v.text, pattern.text)
	case syntax.UpperAll:
		v.text = strings.ToUpper(v.text)
	case syntax.LowerAll:
		v.text = strings.ToLower(v.text)
	case syntax.UpperFirst:
		v.text = strings.ToUpper(v.text[:min(1, len(v.text))]) + v.text[min(1, len(v.text)):]
	case syntax.LowerFirst:
		v.text = strings.ToLower(v.text[:min(1, len(v.text))]) + v.text[min(1, len(v.text)):]
	default:
		b.unknown("$"+name, 0)
		return
	}
	b.values([]value{v}, quoted)
}

// slice handles ${x:1:2} of known values with literal numbers, which is how letters are picked to hide a command.
func (b *fieldBuilder) slice(s *syntax.Slice, name string, list []value, quoted bool) {
	from, ok := number(s.Offset)
	if !ok || len(list) != 1 {
		b.unknown("$"+name, 0)
		return
	}
	v := list[0]
	if from < 0 {
		from += len(v.text)
	}
	from = min(max(from, 0), len(v.text))
	to := len(v.text)
	if s.Length != nil {
		n, ok := number(s.Length)
		if !ok {
			b.unknown("$"+name, 0)
			return
		}
		if n < 0 {
			to = max(from, to+n)
		} else {
			to = min(to, from+n)
		}
	}
	v.text = v.text[from:to]
	b.values([]value{v}, quoted)
}

func number(x syntax.ArithmExpr) (int, bool) {
	switch e := x.(type) {
	case *syntax.Word:
		n, err := strconv.Atoi(strings.TrimSpace(e.Lit()))
		return n, err == nil
	case *syntax.UnaryArithm:
		n, ok := number(e.X)
		return -n, ok && e.Op == syntax.Minus
	case *syntax.ParenArithm:
		return number(e.X)
	}
	return 0, false
}

// replace handles ${x/a/b} of known values with literal patterns.
func (b *fieldBuilder) replace(r *syntax.Replace, name string, list []value, quoted bool) {
	old, with := b.a.single(r.Orig, b.sc), b.a.single(r.With, b.sc)
	if len(list) != 1 || old.partial || with.partial || old.text == "" || old.text[0] == '#' || old.text[0] == '%' || strings.ContainsAny(old.text, "*?[") {
		b.unknown("$"+name, 0)
		return
	}
	v, n := list[0], 1
	if r.All {
		n = -1
	}
	if len(with.text) > len(old.text) && strings.Count(v.text, old.text)*len(with.text)+len(v.text) > maxWord {
		b.unknown("$"+name, 0)
		return
	}
	v.text = strings.Replace(v.text, old.text, with.text, n)
	b.values([]value{v}, quoted)
}
