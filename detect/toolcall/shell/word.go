package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

const stepsOfWord = 10

// fields() returns the fields to which a shell expands a word. It expands braces and variables, and splits values
// without quotes.
func fields(t *trace.Trace, w *syntax.Word, sc *trace.Scope) []trace.Value {
	if w == nil {
		return nil
	}
	t.Spend(stepsOfWord)
	if v, ok := plainWord(w); ok {
		return []trace.Value{v}
	}
	// The parser's methods that return positions fail after a word with an empty item in braces was split at its braces.
	// So only a copy of the word is split.
	w = &syntax.Word{Parts: w.Parts}
	syntax.SplitBraces(w)
	var out []trace.Value
	for _, parts := range expandBraces(t, w.Parts) {
		if t.Full {
			break
		}
		b := &fieldBuilder{trace: t, sc: sc}
		for i, part := range parts {
			b.part(part, i == 0)
		}
		out = append(out, b.done()...)
	}
	return out
}

// plainWord returns the value of a literal word without special characters. Most words are such words. plainWord
// returns false for any other word.
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

// single() returns the value of a word that is not split into fields, such as the value of an assignment.
func single(t *trace.Trace, w *syntax.Word, sc *trace.Scope) trace.Value {
	if w == nil {
		return trace.Value{}
	}
	b := &fieldBuilder{trace: t, sc: sc, oneField: true}
	for i, part := range w.Parts {
		b.part(part, i == 0)
	}
	v := b.current
	v.Text = b.text.String()
	return v
}

// fieldBuilder builds the fields to which one word expands.
type fieldBuilder struct {
	trace *trace.Trace
	sc    *trace.Scope
	// oneField is set if the word must not be split into fields.
	oneField bool
	// The struct field "current" describes the shell field that is being built, except its text.
	current trace.Value
	text    strings.Builder
	// The struct field "started" is set if there is a current shell field. This shell field may be empty, because
	// the word may be an empty text in quotes.
	started bool
	fields  []trace.Value
}

func (b *fieldBuilder) done() []trace.Value {
	b.split()
	return b.fields
}

func (b *fieldBuilder) split() {
	if !b.started {
		return
	}
	b.trace.Spend(8)
	b.current.Text = b.text.String()
	b.fields = append(b.fields, b.current)
	b.text.Reset()
	b.current, b.started = trace.Value{}, false
}

func (b *fieldBuilder) add(text string) {
	b.started = true
	b.trace.Spend(1 + len(text)/16)
	if b.text.Len()+len(text) > trace.MaxWord {
		b.current.Partial = true
		return
	}
	b.text.WriteString(text)
}

// unknown() adds a part whose value is unknown. The text of the field contains the source of this part in place of its
// value.
func (b *fieldBuilder) unknown(text string, t trace.Taint) {
	b.add(text)
	b.current.Partial = true
	b.current.Taint |= t
}

func (b *fieldBuilder) part(part syntax.WordPart, first bool) {
	if !b.trace.Spend(8) {
		return
	}
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
		b.started = true
		for _, inner := range p.Parts {
			b.quoted(inner)
		}
	case *syntax.ExtGlob:
		if code := codeOfQualifier(p.Pattern.Value); code != "" {
			evaluate(b.trace, code, b.sc, p)
		}
		if p.Op == syntax.GlobExcept {
			b.add("*") // all other names match
		} else {
			b.add(p.Op.String() + p.Pattern.Value + ")")
		}
		b.current.Glob = true
	case *syntax.ProcSubst:
		b.processSubstitution(p)
	default:
		b.expand(part, false)
	}
}

// codeOfQualifier returns the code that a qualifier of zsh runs for each file, as in *(e:"CODE":) and *(+FUNCTION).
func codeOfQualifier(text string) string {
	i := strings.IndexByte(text, 'e')
	switch {
	case strings.IndexByte(text, '|') >= 0:
	case i >= 0 && i+2 < len(text) && strings.IndexByte(":{[", text[i+1]) >= 0:
		return "eval " + strings.TrimRight(text[i+2:], ":}]")
	case strings.HasPrefix(text, "+"):
		return text[1:]
	}
	return ""
}

func (b *fieldBuilder) quoted(part syntax.WordPart) {
	if !b.trace.Spend(8) {
		return
	}
	if lit, ok := part.(*syntax.Lit); ok {
		b.add(unescapeQuoted(lit.Value))
		return
	}
	b.expand(part, true)
}

func (b *fieldBuilder) processSubstitution(p *syntax.ProcSubst) {
	out := subshell(b.trace, p.Stmts, b.sc, trace.Unknown())
	b.add("/dev/fd/63")
	b.current.Pipe = &out
	b.current.Taint |= out.Taint
}

// literal() adds text that is not in quotes. A backslash escapes a character, a star makes a glob, and a tilde at the
// start stands for the home folder.
func (b *fieldBuilder) literal(s string, first bool) {
	b.trace.Spend(len(s) / 4)
	switch name, rest, ok := strings.Cut(s, "=~"); {
	case first && strings.HasPrefix(s, "~"):
		s = b.tilde(s)
	case first && ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
		// A shell also expands a tilde in an argument that looks like an assignment, such as "dd of=~/x".
		s = name + "=" + b.tilde("~"+rest)
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
			b.current.Glob = true
		}
		b.text.WriteByte(s[i])
	}
	b.started = true
}

// tilde() replaces a ~ at the start of a path. If the script has changed HOME, it stands for the new folder.
func (b *fieldBuilder) tilde(s string) string {
	list, ok := lookup(b.trace, "HOME", b.sc)
	if ok && len(list) == 1 && !list[0].Partial && trace.IsAbsolute(list[0].Text) && (len(s) == 1 || s[1] == '/') {
		return list[0].Text + s[1:]
	}
	return Tilde(b.trace, s)
}

// Tilde replaces a ~ at the start of a path with the home folder. For ~name, it guesses the home folder of that user.
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

// unescapeQuoted removes each backslash that escapes a character in double quotes.
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

// stepsOfPart is the number of steps that the analysis counts for each part that expandBraces adds to a result.
const stepsOfPart = 4

// expandBraces expands {a,b} and {1..3}. Each item of the result is one word, given by its parts.
func expandBraces(t *trace.Trace, parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, part := range parts {
		if len(out) > 1 && !t.Spend(stepsOfPart*len(out)) {
			break
		}
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			for i := range out {
				out[i] = append(out[i], part)
			}
			continue
		}
		tails := braceItems(t, brace)
		if len(out)*len(tails) > trace.MaxFields {
			// All combinations would be too many. So each word gets only one of the items.
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

func braceItems(t *trace.Trace, b *syntax.BraceExp) [][]syntax.WordPart {
	if b.Sequence {
		return sequenceItems(b)
	}
	var out [][]syntax.WordPart
	for _, e := range b.Elems {
		out = append(out, expandBraces(t, e.Parts)...)
	}
	return out
}

// sequenceItems expands {a..e} and {1..9}. For any other sequence, such as {1..20}, it returns only the first and the
// last item.
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
