package tooluse

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// expand puts in what starts with a dollar sign or stands in backquotes.
func (b *fieldBuilder) expand(part syntax.WordPart, quoted bool) {
	switch p := part.(type) {
	case *syntax.ParamExp:
		b.param(p, quoted)
	case *syntax.CmdSubst:
		out := b.a.statements(p.Stmts, b.sc.sub(), nothing)
		if !out.known {
			b.unknown("$(…)", out.taint|fromProgram)
			return
		}
		b.cur.taint |= out.taint
		b.values([]value{{text: strings.TrimRight(out.text, "\n")}}, quoted)
	case *syntax.ArithmExp:
		b.a.walkSubstitutions(p, b.sc)
		b.unknown("$((…))", 0)
	case *syntax.ProcSubst:
		b.processSubstitution(p)
	default:
		b.unknown("…", fromProgram)
	}
}

// values adds a parameter's values: unquoted ones are split at white space, quoted lists stay apart.
func (b *fieldBuilder) values(list []value, quoted bool) {
	for i, v := range list {
		if i > 0 {
			b.between()
		}
		if quoted || b.whole || v.partial {
			b.addValue(v.text, v)
			continue
		}
		b.splitInto(v)
	}
	if quoted && len(list) == 1 {
		b.some = true
	}
}

func (b *fieldBuilder) between() {
	if b.whole {
		b.add(" ")
		return
	}
	b.split()
}

func (b *fieldBuilder) addValue(text string, v value) {
	b.add(text)
	b.cur.partial = b.cur.partial || v.partial
	b.cur.glob = b.cur.glob || v.glob
	b.cur.taint |= v.taint
	if v.pipe != nil {
		b.cur.pipe = v.pipe
	}
}

// splitInto splits an unquoted value at white space, as a shell with its usual IFS does.
func (b *fieldBuilder) splitInto(v value) {
	if v.text != "" && isSpace(v.text[0]) {
		b.split()
	}
	words := strings.Fields(v.text)
	for i, word := range words {
		if i > 0 {
			b.split()
		}
		part := v
		part.glob = strings.ContainsAny(word, "*?[")
		b.addValue(word, part)
	}
	if len(words) > 0 && isSpace(v.text[len(v.text)-1]) {
		b.split()
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

func (b *fieldBuilder) param(p *syntax.ParamExp, quoted bool) {
	if p.Param == nil {
		b.unknown("$…", 0)
		return
	}
	if p.Index != nil && !isAllIndex(p.Index) {
		b.a.walkSubstitutions(p.Index, b.sc)
	}
	name := p.Param.Value
	list, known := b.a.lookup(name, b.sc)
	if p.Excl && known && len(list) == 1 {
		list, known = b.a.lookup(list[0].text, b.sc)
	}
	switch {
	case p.Length, p.Excl && !known, p.Names != 0:
		b.unknown("$"+name, 0)
	case p.Exp != nil:
		b.expansion(p.Exp, name, list, known, quoted)
	case !known:
		b.unknown("$"+name, 0)
	case p.Slice != nil:
		b.slice(p.Slice, name, list, quoted)
	case p.Repl != nil:
		b.replace(p.Repl, name, list, quoted)
	case p.Index != nil:
		b.values(indexed(list, p.Index), quoted)
	case name == "@" || name == "*":
		b.values(list, quoted)
	default:
		b.values(list[:min(1, len(list))], quoted)
	}
}

func isAllIndex(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// indexed picks ${a[2]} or, for @, * and anything that is not a plain number, all elements.
func indexed(list []value, index syntax.ArithmExpr) []value {
	if w, ok := index.(*syntax.Word); ok {
		if n, err := strconv.Atoi(w.Lit()); err == nil && n >= 0 && n < len(list) {
			return list[n : n+1]
		}
	}
	return list
}

// lookup is the value of a variable: those that the script sets, and those that every shell has.
func (a *analyzer) lookup(name string, sc *scope) ([]value, bool) {
	if v, ok := sc.vars[name]; ok {
		return v.values, true
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n >= 1 && n <= len(sc.args) {
			return sc.args[n-1 : n], true
		}
		return nil, sc.args != nil && n > 0
	}
	switch name {
	case "@", "*":
		return sc.args, sc.args != nil
	case "HOME":
		return []value{{text: a.env.Home}}, true
	case "PWD":
		return []value{{text: sc.cwd, partial: sc.cwdUnknown}}, true
	case "CLAUDE_PROJECT_DIR":
		return []value{{text: a.env.Root}}, true
	case "TMPDIR", "TMP", "TEMP":
		return []value{{text: "/tmp"}}, true
	case "IFS":
		return []value{{text: " \t\n"}}, true
	case "SHELL", "BASH":
		return []value{{text: "/bin/bash"}}, true
	case "PATH":
		return []value{{text: "/usr/local/bin:/usr/bin:/bin", partial: true}}, true
	}
	return nil, false
}

// expansion handles ${x:-y} and its relatives.
func (b *fieldBuilder) expansion(e *syntax.Expansion, name string, list []value, known, quoted bool) {
	other := func() value { return b.a.single(e.Word, b.sc) }
	empty := len(list) == 0 || len(list) == 1 && list[0].text == ""
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
	if len(list) != 1 || old.partial || with.partial || old.text == "" || strings.ContainsAny(old.text, "*?[") {
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

// unescapeANSI decodes what stands in $'…'.
func unescapeANSI(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		i += ansiEscape(&b, s[i:]) - 1
	}
	return b.String()
}

// ansiEscape writes the character that the escape at the start of s stands for, and returns how long the escape is.
func ansiEscape(b *strings.Builder, s string) int {
	simple := "a\ab\be\x1bE\x1bf\fn\nr\rt\tv\v"
	for i := 0; i < len(simple); i += 2 {
		if s[0] == simple[i] {
			b.WriteByte(simple[i+1])
			return 1
		}
	}
	switch c := s[0]; {
	case c == 'x':
		return 1 + codePoint(b, s[1:], 16, 2, c)
	case c == 'u':
		return 1 + codePoint(b, s[1:], 16, 4, c)
	case c == 'U':
		return 1 + codePoint(b, s[1:], 16, 8, c)
	case c >= '0' && c <= '7':
		return codePoint(b, s, 8, 3, c)
	case c == 'c' && len(s) > 1:
		b.WriteByte(s[1] & 0x1f)
		return 2
	default:
		b.WriteByte(c)
		return 1
	}
}

// codePoint decodes up to width digits and returns how many there were.
func codePoint(b *strings.Builder, s string, base, width int, kind byte) int {
	n := 0
	for n < width && n < len(s) {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	code, err := strconv.ParseUint(s[:n], base, 32)
	if err != nil {
		b.WriteByte(kind)
		return n
	}
	if kind == 'u' || kind == 'U' {
		b.WriteRune(rune(code))
	} else {
		b.WriteByte(byte(code))
	}
	return n
}
