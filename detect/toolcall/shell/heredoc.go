package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
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
	if mayEndEarlier(r, verbatim) {
		t.Opaque(t.Span(int(r.Pos().Offset()), int(r.End().Offset())),
			"contains a here-document that may end earlier than it seems", effect.HiddenExecution)
	}
	if len(r.Hdoc.Parts) == 1 && verbatim && r.Op == syntax.Hdoc {
		if lit, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
			return trace.Flow{Text: lit.Value, Known: true} // the text is often large, so it is not copied
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

// mayEndEarlier reports whether a shell may end a here-document at an earlier line than the parser does. This is
// possible in two cases: the delimiter contains an escape sequence, or a backslash before a line break hides the
// delimiter from the parser.
func mayEndEarlier(r *syntax.Redirect, verbatim bool) bool {
	delimiter := ""
	for _, part := range r.Word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			delimiter += part.Value
		case *syntax.SglQuoted:
			if part.Dollar {
				return strings.Contains(part.Value, `\`)
			}
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				if lit, ok := inner.(*syntax.Lit); ok && strings.Contains(lit.Value, `\`) {
					return true
				}
			}
		}
	}
	if verbatim {
		return false
	}
	var text strings.Builder
	for _, part := range r.Hdoc.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			text.WriteString(strings.ReplaceAll(lit.Value, "\\\n", ""))
		} else {
			text.WriteByte('$')
		}
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if r.Op == syntax.DashHdoc {
			line = strings.TrimLeft(line, "\t")
		}
		if line == delimiter {
			return true
		}
	}
	return false
}

// unescapeDocument removes each backslash that escapes a character in a here-document. It keeps a backslash before a
// double quote. In a text in double quotes, a shell would remove such a backslash.
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
