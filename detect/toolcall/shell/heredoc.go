package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/toolcall/literal"
	"guardrails/detect/toolcall/trace"
)

// hereDocument returns the text of a here-document. It expands variables and substitutions unless the delimiter is
// quoted.
func hereDocument(t *trace.Trace, r *syntax.Redirect, sc *trace.Scope) trace.Flow {
	if r.Hdoc == nil {
		return trace.Nothing()
	}
	verbatim := literal.IsQuoted(r.Word)
	if len(r.Hdoc.Parts) == 1 && verbatim && r.Op == syntax.Hdoc {
		if lit, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
			return trace.Flow{Text: lit.Value, Known: true} // often a large file, so do not copy it
		}
	}
	b := &fieldBuilder{trace: t, sc: sc, oneField: true}
	for _, part := range r.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		switch {
		case ok && verbatim:
			b.add(lit.Value)
		case ok:
			b.add(unescapeDocument(lit.Value))
		default:
			b.expand(part, true)
		}
	}
	text := b.text.String()
	if r.Op == syntax.DashHdoc {
		text = withoutTabs(text)
	}
	return trace.Flow{Text: text, Known: !b.current.Partial, Taint: b.current.Taint}
}

// unescapeDocument removes each backslash that escapes a character in a here-document. A backslash before a double
// quote stays, unlike in a text in double quotes.
func unescapeDocument(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\\\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// withoutTabs removes the tabs at the start of each line, as the operator <<- does.
func withoutTabs(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}
