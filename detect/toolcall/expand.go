package toolcall

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
		out := b.a.statements(p.Stmts, b.sc.sub(), nothing())
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
		if b.hasOwnSeparators() {
			b.unknown("$…"+v.text, v.taint)
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

// hasOwnSeparators reports whether the script has set IFS to something unusual, which a value would be split by.
func (b *fieldBuilder) hasOwnSeparators() bool {
	v, ok := b.sc.vars["IFS"]
	if !ok || len(v.values) != 1 {
		return ok
	}
	text := v.values[0].text
	return v.values[0].partial || text != "" && strings.Trim(text, " \t\n") != ""
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
		b.indexed(name, list, p.Index, quoted)
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

// indexed picks ${a[2]}, or all elements for @ and *; any other index is not followed.
func (b *fieldBuilder) indexed(name string, list []value, index syntax.ArithmExpr, quoted bool) {
	if isAllIndex(index) {
		b.values(list, quoted)
		return
	}
	n, ok := number(index)
	switch {
	case ok && n >= 0 && n < len(list):
		b.values(list[n:n+1], quoted)
	case ok && n < 0 && -n <= len(list):
		b.values(list[len(list)+n:len(list)+n+1], quoted)
	default:
		b.unknown("$"+name, 0)
	}
}

// lookup is the value of a variable: those that the script sets, and those that every shell has.
func (a *analyzer) lookup(name string, sc *scope) ([]value, bool) {
	if v, ok := sc.vars[name]; ok {
		return v.values, !sc.lost
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
		return []value{{text: sc.cwd, quality: quality{partial: sc.cwdUnknown}}}, true
	case "CLAUDE_PROJECT_DIR":
		return []value{{text: a.env.Root}}, true
	case "TMPDIR", "TMP", "TEMP":
		return []value{{text: "/tmp"}}, true
	case "IFS":
		return []value{{text: " \t\n"}}, true
	case "SHELL", "BASH":
		return []value{{text: "/bin/bash"}}, true
	case "PATH":
		return []value{{text: "/usr/local/bin:/usr/bin:/bin", quality: quality{partial: true}}}, true
	}
	return nil, false
}
