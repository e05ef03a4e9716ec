package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxFields bounds what braces and lists in one word may unfold to.
const maxFields = 128

// fields is what a shell makes of a word: braces unfolded, variables put in, unquoted values split.
func (a *analyzer) fields(w *syntax.Word, sc *scope) []value {
	if w == nil {
		return nil
	}
	if v, ok := plainWord(w); ok {
		return []value{v}
	}
	// A copy is split: the parser's positions cannot be asked for once a word holds an empty item of braces.
	w = &syntax.Word{Parts: w.Parts}
	syntax.SplitBraces(w)
	var out []value
	for _, parts := range unfoldBraces(w.Parts) {
		b := &fieldBuilder{a: a, sc: sc}
		for i, part := range parts {
			b.part(part, i == 0)
		}
		out = append(out, b.done()...)
	}
	return out
}

// plainWord is the common case of a word that is one literal without anything special in it.
func plainWord(w *syntax.Word) (value, bool) {
	if len(w.Parts) != 1 {
		return value{}, false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.ContainsAny(lit.Value, "\\*?[{~") {
		return value{}, false
	}
	return value{text: lit.Value}, true
}

// single is a word as one value, as in an assignment, where nothing is split.
func (a *analyzer) single(w *syntax.Word, sc *scope) value {
	if w == nil {
		return value{}
	}
	b := &fieldBuilder{a: a, sc: sc, whole: true}
	for i, part := range w.Parts {
		b.part(part, i == 0)
	}
	v := b.cur
	v.text = b.text.String()
	return v
}

// fieldBuilder puts the parts of one word together.
type fieldBuilder struct {
	a  *analyzer
	sc *scope
	// whole is set where nothing is split into fields.
	whole  bool
	text   strings.Builder
	cur    value
	some   bool // cur has something in it, be it an empty quoted string
	fields []value
}

func (b *fieldBuilder) done() []value {
	b.split()
	return b.fields
}

func (b *fieldBuilder) split() {
	if !b.some {
		return
	}
	b.cur.text = b.text.String()
	b.fields = append(b.fields, b.cur)
	b.text.Reset()
	b.cur, b.some = value{}, false
}

// maxWord is how long a word may grow; one that is put together beyond it is not known any more.
const maxWord = 2 * MaxCommandSize

func (b *fieldBuilder) add(text string) {
	b.some = true
	if b.text.Len()+len(text) > maxWord {
		b.cur.partial = true
		return
	}
	b.text.WriteString(text)
}

// unknown adds a part of which the value is not known.
func (b *fieldBuilder) unknown(text string, t taint) {
	b.add(text)
	b.cur.partial = true
	b.cur.taint |= t
}

func (b *fieldBuilder) part(part syntax.WordPart, first bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		b.literal(p.Value, first)
	case *syntax.SglQuoted:
		if p.Dollar {
			b.add(unescapeANSI(p.Value))
		} else {
			b.add(p.Value)
		}
	case *syntax.DblQuoted:
		b.some = true
		for _, inner := range p.Parts {
			b.quoted(inner)
		}
	case *syntax.ExtGlob:
		b.add(p.Op.String() + p.Pattern.Value + ")")
		b.cur.glob = true
	case *syntax.ProcSubst:
		b.processSubstitution(p)
	default:
		b.expand(part, false)
	}
}

func (b *fieldBuilder) quoted(part syntax.WordPart) {
	if lit, ok := part.(*syntax.Lit); ok {
		b.add(unescapeQuoted(lit.Value))
		return
	}
	b.expand(part, true)
}

func (b *fieldBuilder) processSubstitution(p *syntax.ProcSubst) {
	out := b.a.statements(p.Stmts, b.sc.sub(), unknown())
	b.add("/dev/fd/63")
	b.cur.pipe = &out
	b.cur.taint |= out.taint
}

// literal adds unquoted text: backslashes quote, stars are globs, a tilde at the start is the home directory.
func (b *fieldBuilder) literal(s string, first bool) {
	switch name, rest, ok := strings.Cut(s, "=~"); {
	case first && strings.HasPrefix(s, "~"):
		s = b.a.tilde(s)
	case first && ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
		// A shell also puts in the home directory in what looks like an assignment: dd of=~/x.
		s = name + "=" + b.a.tilde("~"+rest)
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
			if i < len(s) && s[i] != '\n' {
				b.text.WriteByte(s[i])
			}
			continue
		case '*', '?', '[':
			b.cur.glob = true
		}
		b.text.WriteByte(s[i])
	}
	b.some = true
}

// tilde puts in the home directory for ~ and ~/; another user's home is guessed where homes usually lie.
func (a *analyzer) tilde(s string) string {
	name, _, _ := strings.Cut(s[1:], "/")
	rest := s[1+len(name):]
	switch name {
	case "":
		return a.env.Home + rest
	case "root":
		return "/root" + rest
	case "+":
		return a.env.Cwd + rest
	case "-":
		return s
	}
	return "/home/" + name + rest
}

// unescapeQuoted removes the backslashes that quote inside double quotes.
func unescapeQuoted(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
