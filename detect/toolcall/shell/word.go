package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// fields is what a shell makes of a word: braces unfolded, variables put in, unquoted values split.
func fields(t *trace.Trace, w *syntax.Word, sc *trace.Scope) []trace.Value {
	if w == nil {
		return nil
	}
	if v, ok := plainWord(w); ok {
		return []trace.Value{v}
	}
	// A copy is split: the parser's positions cannot be asked for once a word holds an empty item of braces.
	w = &syntax.Word{Parts: w.Parts}
	syntax.SplitBraces(w)
	var out []trace.Value
	for _, parts := range unfoldBraces(w.Parts) {
		b := &fieldBuilder{a: t, sc: sc}
		for i, part := range parts {
			b.part(part, i == 0)
		}
		out = append(out, b.done()...)
	}
	return out
}

// plainWord is the common case of a word that is one literal without anything special in it.
func plainWord(w *syntax.Word) (trace.Value, bool) {
	if len(w.Parts) != 1 {
		return trace.Value{}, false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.ContainsAny(lit.Value, "\\*?[{~") {
		return trace.Value{}, false
	}
	return trace.Value{Text: lit.Value}, true
}

// single is a word as one value, as in an assignment, where nothing is split.
func single(t *trace.Trace, w *syntax.Word, sc *trace.Scope) trace.Value {
	if w == nil {
		return trace.Value{}
	}
	b := &fieldBuilder{a: t, sc: sc, whole: true}
	for i, part := range w.Parts {
		b.part(part, i == 0)
	}
	v := b.cur
	v.Text = b.text.String()
	return v
}

// fieldBuilder puts the parts of one word together.
type fieldBuilder struct {
	a  *trace.Trace
	sc *trace.Scope
	// whole is set where nothing is split into fields.
	whole  bool
	text   strings.Builder
	cur    trace.Value
	some   bool // cur has something in it, be it an empty quoted string
	fields []trace.Value
}

func (b *fieldBuilder) done() []trace.Value {
	b.split()
	return b.fields
}

func (b *fieldBuilder) split() {
	if !b.some {
		return
	}
	b.cur.Text = b.text.String()
	b.fields = append(b.fields, b.cur)
	b.text.Reset()
	b.cur, b.some = trace.Value{}, false
}

func (b *fieldBuilder) add(text string) {
	b.some = true
	if b.text.Len()+len(text) > trace.MaxWord {
		b.cur.Partial = true
		return
	}
	b.text.WriteString(text)
}

// unknown adds a part of which the value is not known.
func (b *fieldBuilder) unknown(text string, t trace.Taint) {
	b.add(text)
	b.cur.Partial = true
	b.cur.Taint |= t
}

func (b *fieldBuilder) part(part syntax.WordPart, first bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		b.literal(p.Value, first)
	case *syntax.SglQuoted:
		if p.Dollar {
			b.add(words.UnescapeANSI(p.Value))
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
		b.cur.Glob = true
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
	out := statements(b.a, p.Stmts, b.sc.Sub(), trace.Unknown())
	b.add("/dev/fd/63")
	b.cur.Pipe = &out
	b.cur.Taint |= out.Taint
}

// literal adds unquoted text: backslashes quote, stars are globs, a tilde at the start is the home directory.
func (b *fieldBuilder) literal(s string, first bool) {
	switch name, rest, ok := strings.Cut(s, "=~"); {
	case first && strings.HasPrefix(s, "~"):
		s = Tilde(b.a, s)
	case first && ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
		// A shell also puts in the home directory in what looks like an assignment: dd of=~/x.
		s = name + "=" + Tilde(b.a, "~"+rest)
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
			b.cur.Glob = true
		}
		b.text.WriteByte(s[i])
	}
	b.some = true
}

// Tilde puts in the home directory for ~ and ~/; another user's home is guessed where homes usually lie.
func Tilde(t *trace.Trace, s string) string {
	name, _, _ := strings.Cut(s[1:], "/")
	rest := s[1+len(name):]
	switch name {
	case "":
		return t.Env.Home + rest
	case "root":
		return "/root" + rest
	case "+":
		return t.Env.Cwd + rest
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

// unfoldBraces expands {a,b} and {1..3}; each result is the parts of one word.
func unfoldBraces(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			for i := range out {
				out[i] = append(out[i], part)
			}
			continue
		}
		tails := braceItems(brace)
		if len(out)*len(tails) > trace.MaxFields {
			// There is no room for all combinations: each of those there are goes on with one of the items.
			for i := range out {
				out[i] = append(out[i], tails[i%len(tails)]...)
			}
			continue
		}
		var next [][]syntax.WordPart
		for _, head := range out {
			for _, tail := range tails {
				if len(next) < trace.MaxFields {
					next = append(next, append(append([]syntax.WordPart{}, head...), tail...))
				}
			}
		}
		out = next
	}
	return out
}

func braceItems(b *syntax.BraceExp) [][]syntax.WordPart {
	if b.Sequence {
		return sequenceItems(b)
	}
	var out [][]syntax.WordPart
	for _, e := range b.Elems {
		out = append(out, unfoldBraces(e.Parts)...)
	}
	return out
}

// sequenceItems unfolds {a..e} and {1..9} as far as it matters: the first and last items show what is meant.
func sequenceItems(b *syntax.BraceExp) [][]syntax.WordPart {
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	if len(from) == 1 && len(to) == 1 && from[0] <= to[0] && int(to[0]-from[0]) < trace.MaxFields {
		var out [][]syntax.WordPart
		for c := int(from[0]); c <= int(to[0]); c++ {
			out = append(out, []syntax.WordPart{&syntax.Lit{Value: string(rune(c))}})
		}
		return out
	}
	return [][]syntax.WordPart{{&syntax.Lit{Value: from}}, {&syntax.Lit{Value: to}}}
}
