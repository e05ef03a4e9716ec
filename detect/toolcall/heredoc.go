package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// hereDocument is the text that a here-document delivers: as it stands when its mark is quoted, else with variables and
// substitutions put in.
func (a *analyzer) hereDocument(r *syntax.Redirect, sc *scope) flow {
	if r.Hdoc == nil {
		return nothing()
	}
	verbatim := isQuoted(r.Word)
	if len(r.Hdoc.Parts) == 1 && verbatim && r.Op == syntax.Hdoc {
		if lit, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
			return flow{text: lit.Value, known: true} // often a large file, which need not be copied
		}
	}
	b := &fieldBuilder{a: a, sc: sc, whole: true}
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
	return flow{text: text, known: !b.cur.partial, taint: b.cur.taint}
}

// isQuoted reports whether any part of a here-document's mark is quoted.
func isQuoted(w *syntax.Word) bool {
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

// unescapeDocument removes the backslashes that quote in a here-document: unlike in double quotes, one before a double
// quote stays.
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

// withoutTabs removes the tabs at the start of each line, as <<- does.
func withoutTabs(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}
