package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// expand() adds what a shell writes in place of a parameter, a substitution or an arithmetic expression.
func (b *fieldBuilder) expand(part syntax.WordPart, quoted bool) {
	switch p := part.(type) {
	case *syntax.ParamExp:
		b.param(p, quoted)
	case *syntax.CmdSubst:
		out := subshell(b.trace, p.Stmts, b.sc, trace.Nothing())
		if !out.Known {
			text := "$(…)"
			if out.From() != "" && out.Taint&^trace.FromFile == 0 {
				text = trace.TextOfFile(out.From())
			} else if out.Text == trace.TextOfToken && b.trace.Token.Number == len(b.trace.Effects) {
				text = out.Text
			}
			b.unknown(text, out.Taint|trace.FromProgram)
			return
		}
		b.current.Taint |= out.Taint
		b.values([]trace.Value{{Text: strings.TrimRight(out.Text, "\n")}}, quoted)
	case *syntax.ArithmExp:
		walkSubstitutions(b.trace, p, b.sc)
		b.unknown("$((…))", 0)
	case *syntax.ProcSubst:
		b.processSubstitution(p)
	default:
		b.unknown("…", trace.FromProgram)
	}
}

// values() adds the values of a parameter. Without quotes, it splits the values at the separators in IFS. With quotes,
// each value becomes one field.
func (b *fieldBuilder) values(list []trace.Value, quoted bool) {
	for i, v := range list {
		if b.trace.Full {
			return
		}
		if i > 0 {
			b.separate()
		}
		if quoted || b.oneField || v.Partial {
			b.addValue(v.Text, v)
			continue
		}
		separators, known := b.separators()
		if !known {
			b.unknown("$…"+v.Text, v.Taint)
			continue
		}
		b.addSplit(v, separators)
	}
	if quoted && len(list) == 1 {
		b.started = true
	}
}

func (b *fieldBuilder) separate() {
	if b.oneField {
		b.add(" ")
		return
	}
	b.split()
}

func (b *fieldBuilder) addValue(text string, v trace.Value) {
	b.add(text)
	b.current.Partial = b.current.Partial || v.Partial
	b.current.Glob = b.current.Glob || v.Glob
	b.current.Taint |= v.Taint
	if v.Pipe != nil {
		b.current.Pipe = v.Pipe
	}
}

// addSplit adds a value that is not in quotes and splits it at the separators. Unlike a shell, addSplit does not make
// an empty field between two separators that are not white space.
func (b *fieldBuilder) addSplit(v trace.Value, separators string) {
	if v.Text != "" && strings.IndexByte(separators, v.Text[0]) >= 0 {
		b.split()
	}
	b.trace.Spend(len(v.Text) / 2)
	words := strings.FieldsFunc(v.Text, func(r rune) bool { return strings.ContainsRune(separators, r) })
	for i, word := range words {
		if i > 0 {
			b.split()
		}
		part := v
		part.Glob = strings.ContainsAny(word, "*?[")
		b.addValue(word, part)
	}
	if len(words) > 0 && strings.IndexByte(separators, v.Text[len(v.Text)-1]) >= 0 {
		b.split()
	}
}

// separators() returns the value of the variable IFS, which has the characters at which the shell splits values. It
// returns false if the value of IFS is unknown.
func (b *fieldBuilder) separators() (string, bool) {
	v, ok := b.sc.Vars.Find("IFS")
	if !ok {
		return " \t\n", true
	}
	if len(v.Values) != 1 || v.Values[0].Partial {
		return "", false
	}
	return v.Values[0].Text, true
}

func (b *fieldBuilder) param(p *syntax.ParamExp, quoted bool) {
	zsh := p.Param == nil || p.Flags != nil || p.IsSet || p.Modifiers != nil // as in ${(U)x}, ${${x:h}:t} and ${+x}
	if zsh || p.Slice != nil || p.Index != nil && !isAllIndex(p.Index) {
		walkSubstitutions(b.trace, p, b.sc)
	}
	if p.Param == nil {
		b.unknown("…", trace.FromProgram)
		return
	}
	name := b.sc.Target(p.Param.Value)
	if zsh {
		if p.Flags != nil && strings.IndexByte(p.Flags.Value, 'e') >= 0 {
			evaluateValue(b.trace, name, b.sc, p)
		}
		b.unset(name)
		if p.Flags != nil {
			b.current.Taint |= trace.FromProgram // as a command word, the result is unknown code
		}
		return
	}
	list, known := lookup(b.trace, name, b.sc)
	if p.Excl && name != p.Param.Value {
		list, known = []trace.Value{{Text: name}}, true // after declare -n X=NAME, ${!X} is NAME
	} else if p.Excl && known && len(list) == 1 {
		list, known = lookup(b.trace, list[0].Text, b.sc)
	}
	switch {
	case p.Length, p.Excl && !known, p.Names != 0:
		b.unknown("$"+name, 0)
	case p.Exp != nil:
		b.expansion(p.Exp, name, list, known, quoted)
	case !known:
		b.unset(name)
	case p.Slice != nil && (name == "@" || name == "*" || p.Index != nil && isAllIndex(p.Index)):
		b.sliceList(p.Slice, name, list, quoted)
	case p.Slice != nil:
		b.slice(p.Slice, name, list, quoted)
	case p.Repl != nil:
		b.replace(p.Repl, name, list, quoted)
	case p.Index != nil:
		b.indexed(name, list, p.Index, quoted)
	case name == "@" || name == "*":
		b.values(list, quoted)
	case !quoted && b.sc.Vars.Get(name).Array && len(list) <= trace.MaxFields:
		b.values(list, quoted) // zsh expands $a to all elements, and bash expands it to the first element
	default:
		b.values(list[:min(1, len(list))], quoted)
	}
}

// unset() adds an unknown value for a variable without a known value.
func (b *fieldBuilder) unset(name string) { b.unknown("$"+name, trace.TaintOfVariable(name)) }

// isAllIndex reports whether an index stands for several elements of an array. A range such as [1,-1] of zsh counts as
// all elements.
func isAllIndex(x syntax.ArithmExpr) bool {
	if c, ok := x.(*syntax.BinaryArithm); ok && c.Op == syntax.Comma {
		return true
	}
	w, ok := x.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// indexed() adds one element, such as ${a[2]}. If the index is @ or *, it adds all elements. If the index is unknown or
// outside the array, it adds an unknown value. If the array has only one element, forEachChoice may have chosen this
// element. So the method adds this element for any index.
func (b *fieldBuilder) indexed(name string, list []trace.Value, index syntax.ArithmExpr, quoted bool) {
	if isAllIndex(index) {
		b.values(list, quoted)
		return
	}
	n, ok := number(index)
	ok = ok && !b.trace.Zsh // in zsh, the first element has the number 1
	switch {
	case !ok && b.sc.Vars.Get(name).Array && len(list) == 1:
		b.values(list, quoted)
	case ok && n >= 0 && n < len(list):
		b.values(list[n:n+1], quoted)
	case ok && n < 0 && -n <= len(list):
		b.values(list[len(list)+n:len(list)+n+1], quoted)
	default:
		b.unset(name)
	}
}

// lookup() returns the values of a variable that the script sets, or that every shell has. It returns false if the
// values are unknown.
func lookup(t *trace.Trace, name string, sc *trace.Scope) ([]trace.Value, bool) {
	if secret, ok := sc.Sourced(name); ok {
		return secret, true
	}
	if v, ok := sc.Vars.Find(name); ok {
		return v.Values, !sc.Lost && !v.Reference
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n >= 1 && n <= len(sc.Args) {
			return sc.Args[n-1 : n], true
		}
		return nil, sc.Args != nil && n > 0
	}
	switch name {
	case "@", "*":
		return sc.Args, sc.Args != nil
	case "HOME":
		return []trace.Value{{Text: t.Env.Home}}, true
	case "PWD":
		return []trace.Value{{Text: sc.Cwd, Quality: trace.Quality{Partial: sc.CwdUnknown}}}, true
	case "CLAUDE_PROJECT_DIR":
		return []trace.Value{{Text: t.Env.Root}}, true
	case "TMPDIR", "TMP", "TEMP":
		return []trace.Value{t.Temporary()}, true
	case "IFS":
		return []trace.Value{{Text: " \t\n"}}, true
	case "SHELL", "BASH":
		return []trace.Value{{Text: "/bin/bash"}}, true
	case "PATH":
		return []trace.Value{{Text: "/usr/local/bin:/usr/bin:/bin", Quality: trace.Quality{Partial: true}}}, true
	}
	if value, ok := t.Inherited(name); ok {
		return []trace.Value{{Text: value}}, true
	}
	return nil, false
}

// expansion() adds what ${x:-y}, ${x:=y}, ${x:+y} or ${x:?y} expands to.
func (b *fieldBuilder) expansion(e *syntax.Expansion, name string, list []trace.Value, known, quoted bool) {
	if quoted && e.Word != nil && slices.ContainsFunc(e.Word.Parts, hidesEnd) {
		b.trace.Opaque(b.trace.Span(int(e.Word.Pos().Offset()), int(e.Word.End().Offset())),
			"contains a quote in ${"+name+"}, which shells read in different ways", effect.HiddenExecution)
	}
	other := func() trace.Value { return single(b.trace, e.Word, b.sc) }
	empty := len(list) == 0 || len(list) == 1 && list[0].Text == ""
	if e.Op == syntax.DefaultUnset || e.Op == syntax.AssignUnset || e.Op == syntax.AlternateUnset {
		empty = len(list) == 0
	}
	if name == "_" {
		known = false
	}
	switch e.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		if !known || empty {
			b.values([]trace.Value{other()}, quoted)
			return
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if !known || empty {
			given := []trace.Value{other()}
			b.trace.SetVariable(name, given, b.sc, b.trace.Span(int(e.Word.Pos().Offset()), int(e.Word.End().Offset())))
			b.values(given, quoted)
			return
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if v := other(); !empty || !known {
			v.Partial = v.Partial || !known
			b.values([]trace.Value{v}, quoted)
		}
		return
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		other()
		if !known {
			b.unset(name)
			return
		}
	default:
		b.transform(e, name, list, known, quoted)
		return
	}
	b.values(list, quoted)
}

// hidesEnd reports whether a part of a word is a text in single quotes that contains a closing brace, a double quote or
// a line end. Inside double quotes and here-documents, some shells treat single quotes as plain characters. In these
// shells, a closing brace between single quotes ends the expansion, a double quote ends the text in double quotes, and
// a newline ends the line.
func hidesEnd(part syntax.WordPart) bool {
	quoted, ok := part.(*syntax.SglQuoted)
	return ok && !quoted.Dollar && strings.ContainsAny(quoted.Value, "}\"\n")
}

// transform() adds what ${x#a}, ${x%a}, ${x^^} or ${x,,} expands to. The result is known only if x and the pattern are
// known, and if the only special characters of the pattern are stars.
func (b *fieldBuilder) transform(e *syntax.Expansion, name string, list []trace.Value, known, quoted bool) {
	pattern := single(b.trace, e.Word, b.sc)
	if pattern.Text == "P" && e.Op == syntax.OtherParamOps {
		evaluateValue(b.trace, name, b.sc, e.Word)
	}
	isGlob := strings.IndexByte(pattern.Text, '*') >= 0
	if !known || len(list) == 0 || pattern.Partial || strings.ContainsAny(pattern.Text, "?[\\(") || isGlob && !pattern.Glob {
		b.unset(name)
		return
	}
	list = slices.Clone(list)
	for i := range list {
		text := list[i].Text
		b.trace.Spend(len(text) / 4)
		switch e.Op {
		case syntax.RemSmallPrefix, syntax.RemLargePrefix:
			text = text[matchedLength(text, pattern.Text, e.Op == syntax.RemLargePrefix):]
		case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
			length := matchedLength(reversed(text), reversed(pattern.Text), e.Op == syntax.RemLargeSuffix)
			text = text[:len(text)-length]
		case syntax.UpperAll:
			text = strings.ToUpper(text)
		case syntax.LowerAll:
			text = strings.ToLower(text)
		case syntax.UpperFirst:
			text = strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
		case syntax.LowerFirst:
			text = strings.ToLower(text[:min(1, len(text))]) + text[min(1, len(text)):]
		default:
			b.unset(name)
			return
		}
		list[i].Text = text
	}
	b.values(list, quoted)
}

// matchedLength returns how many bytes at the beginning of a text match a pattern with stars. If several beginnings
// match, the parameter "most" decides which length is returned: the longest length if "most" is true, and the shortest
// length if "most" is false. matchedLength returns 0 if no beginning matches.
func matchedLength(text, pattern string, most bool) int {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(text, parts[0]) {
		return 0
	}
	at := len(parts[0])
	for i, part := range parts[1:] {
		next := strings.Index(text[at:], part)
		if most && i == len(parts)-2 {
			next = strings.LastIndex(text[at:], part)
		}
		if next < 0 {
			return 0
		}
		at += next + len(part)
	}
	return at
}

func reversed(text string) string {
	bytes := []byte(text)
	slices.Reverse(bytes)
	return string(bytes)
}

// sliceList adds what ${a[@]:1:2} or ${@:1:2} expands to. The first argument of a script has the number 1.
func (b *fieldBuilder) sliceList(s *syntax.Slice, name string, list []trace.Value, quoted bool) {
	from, ok := number(s.Offset)
	if from < 0 {
		from += len(list)
	} else if name == "@" || name == "*" {
		if script, known := lookup(b.trace, "0", b.sc); from == 0 && known {
			list = slices.Concat(script[:1], list)
		} else if from--; from < 0 {
			ok = false
		}
	}
	count := len(list)
	if s.Length != nil {
		n, known := number(s.Length)
		ok, count = ok && known && n >= 0, n
	}
	if !ok || from < 0 {
		b.unset(name)
		return
	}
	from = min(from, len(list))
	b.values(list[from:min(len(list), from+count)], quoted)
}

// slice() adds what ${x:1:2} expands to. The result is known only if x is known and the numbers are literal. Such
// expansions are a common way to hide the name of a command.
func (b *fieldBuilder) slice(s *syntax.Slice, name string, list []trace.Value, quoted bool) {
	from, ok := number(s.Offset)
	if !ok || len(list) != 1 {
		b.unset(name)
		return
	}
	v := list[0]
	if from < 0 {
		from += len(v.Text)
	}
	from = min(max(from, 0), len(v.Text))
	to := len(v.Text)
	if s.Length != nil {
		n, ok := number(s.Length)
		if !ok {
			b.unset(name)
			return
		}
		if n < 0 {
			to = max(from, to+n)
		} else {
			to = min(to, from+n)
		}
	}
	v.Text = v.Text[from:to]
	b.values([]trace.Value{v}, quoted)
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

// replace() adds what ${x/a/b} expands to. The result is known only if x is known and the patterns are literal.
func (b *fieldBuilder) replace(r *syntax.Replace, name string, list []trace.Value, quoted bool) {
	old, with := single(b.trace, r.Orig, b.sc), single(b.trace, r.With, b.sc)
	if len(list) != 1 || old.Partial || with.Partial || old.Text == "" ||
		old.Text[0] == '#' || old.Text[0] == '%' || strings.ContainsAny(old.Text, "*?[") {
		b.unset(name)
		return
	}
	v, n := list[0], 1
	b.trace.Spend(2 * len(v.Text))
	if r.All {
		n = -1
	}
	if len(with.Text) > len(old.Text) && strings.Count(v.Text, old.Text)*len(with.Text)+len(v.Text) > trace.MaxWord {
		b.unset(name)
		return
	}
	v.Text = strings.Replace(v.Text, old.Text, with.Text, n)
	b.values([]trace.Value{v}, quoted)
}
