package toolcall

import (
	"errors"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
)

// hasHiddenRune reports whether a text has a character that changes how it looks without being seen.
func hasHiddenRune(s string) bool {
	for _, r := range s {
		switch {
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200b, r == 0x2060, r == 0:
			return true
		}
	}
	return false
}

// badSyntax notes a text that does not parse. A remark in prose or a cut-off command is harmless, but it is not known
// what the user's own shell makes of it.
func (a *analyzer) badSyntax(text string, err error) {
	offset, message := 0, err.Error()
	if bad, found := errors.AsType[syntax.ParseError](err); found {
		offset, message = int(bad.Pos.Offset()), bad.Text
	}
	a.opaque(a.span(offset, len(text)), "is not valid shell syntax: "+message, effect.OpaqueExecution)
}

// maxNesting is how many brackets, groups and compound commands may be inside one another.
const maxNesting = 150

// maxConditions is how many ifs one text may have; the parser goes down a level for each that is not closed.
const maxConditions = 4000

// nestsTooDeep finds hostile nesting before the parser, which recurses, gets to see it. It counts more than it needs
// to, in quotes and comments too, which no real command makes matter.
func nestsTooDeep(text string) bool {
	var round, curly, square, ticks, ifs int
	for i := range len(text) {
		switch text[i] {
		case '(':
			round++
		case ')':
			round = max(round-1, 0)
		case '{':
			curly++
		case '}':
			curly = max(curly-1, 0)
		case '[':
			square++
		case ']':
			square = max(square-1, 0)
		case '\\':
			if i+1 < len(text) && text[i+1] == '`' {
				ticks++
			}
		}
		if text[i] == 'f' && i > 0 && text[i-1] == 'i' && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') {
			ifs++
		}
		if ifs > maxConditions || round > maxNesting || curly > maxNesting || square > 4*maxNesting || ticks > 4*maxNesting {
			return true
		}
	}
	return false
}
