// Package literal cuts long literal texts out of a shell command before it is parsed, and puts them back afterwards.
package literal

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// IsQuoted reports whether any part of a here-document's mark is quoted.
func IsQuoted(w *syntax.Word) bool {
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

func NewParser() *syntax.Parser { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }

// A large command is nearly always a small one with a large text in it: a file's content in a here-document, a message
// in quotes. The parser looks at every letter of it and copies it several times. So the text is cut out before parsing,
// with a mark left in its place, and put back into what was parsed.
//
// The search for such texts (literals) only guesses. Where the parser finds the marks is what decides: a mark that is
// the content of single quotes, of double quotes, or of the very here-document that was looked for shows that the text
// between the same ends would be there too. If any mark is elsewhere, the whole command is parsed as it stands.

// CutFrom is how many bytes of literal text are worth cutting out.
const CutFrom = 1 << 10

// literal is a text that was cut out of a command.
type literal struct {
	kind     literalKind
	from, to int // where it stands in the command
	// end is the word that ends the here-document.
	end string
	// found is set once its mark was found where the text belongs.
	found bool
}

type literalKind uint8

const (
	singleQuoted literalKind = iota
	doubleQuoted
	rawDocument   // of which the mark is quoted
	plainDocument // in which nothing is put in
)

// CutCommand is a command without its large literal texts.
type CutCommand struct {
	text, Short string
	literals    []literal
}

const markEdge = '\x01'

func markOf(i int) string { return string(markEdge) + strconv.Itoa(i) + string(markEdge) }

// CutLiterals cuts the literal texts of a size out of a command; nil when there are none or it cannot be done.
func CutLiterals(text string, least int) *CutCommand {
	if len(text) < least || strings.IndexByte(text, markEdge) >= 0 {
		return nil
	}
	s := literalSearch{text: text, least: least}
	if !s.code(false) || len(s.found) == 0 {
		return nil
	}
	c := &CutCommand{text: text, literals: s.found}
	c.Short = c.shorten()
	// In backquotes a shell reads everything once more, which the marks know nothing of.
	if strings.IndexByte(c.Short, '`') >= 0 || NestsTooDeep(c.Short) {
		return nil
	}
	return c
}

func (c *CutCommand) shorten() string {
	var b strings.Builder
	at := 0
	for i, l := range c.literals {
		b.WriteString(c.text[at:l.from])
		b.WriteString(markOf(i))
		at = l.to
	}
	b.WriteString(c.text[at:])
	return b.String()
}

// Parse parses the command with its literal texts; false when they cannot be put back.
func (c *CutCommand) Parse() ([]*syntax.Stmt, bool) {
	var out []*syntax.Stmt
	ok := true
	for stmt, err := range NewParser().StmtsSeq(strings.NewReader(c.Short)) {
		ok = ok && err == nil
		if ok {
			syntax.Walk(stmt, c.putBack)
			out = append(out, stmt)
		}
	}
	for i := range c.literals {
		ok = ok && c.literals[i].found
	}
	return out, ok
}

// putBack puts the texts back that belong into a node.
func (c *CutCommand) putBack(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.SglQuoted:
		if !n.Dollar {
			n.Value = c.restored(n.Value, singleQuoted, "")
		}
	case *syntax.DblQuoted:
		for _, part := range n.Parts {
			if lit, ok := part.(*syntax.Lit); ok {
				lit.Value = c.restored(lit.Value, doubleQuoted, "")
			}
		}
	case *syntax.Redirect:
		c.putBackDocument(n)
	}
	return true
}

func (c *CutCommand) putBackDocument(r *syntax.Redirect) {
	if r.Op != syntax.Hdoc || r.Hdoc == nil || len(r.Hdoc.Parts) != 1 {
		return
	}
	kind := plainDocument
	if IsQuoted(r.Word) {
		kind = rawDocument
	}
	if lit, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
		lit.Value = c.restored(lit.Value, kind, plainText(r.Word))
	}
}

// restored is a value with the texts of a kind in the place of their marks.
func (c *CutCommand) restored(value string, kind literalKind, end string) string {
	first := strings.IndexByte(value, markEdge)
	if first < 0 {
		return value
	}
	var b strings.Builder
	for first >= 0 {
		size := strings.IndexByte(value[first+1:], markEdge)
		i, err := strconv.Atoi(value[first+1 : first+1+max(size, 0)])
		if err != nil || i >= len(c.literals) || c.literals[i].kind != kind || c.literals[i].end != end {
			return value
		}
		l := &c.literals[i]
		l.found = true
		before, after := value[:first], value[first+size+2:]
		if before == "" && b.Len() == 0 && strings.IndexByte(after, markEdge) < 0 && strings.HasPrefix(c.text[l.to:], after) {
			// Nothing has to be copied.
			return c.text[l.from : l.to+len(after)]
		}
		b.WriteString(before)
		b.WriteString(c.text[l.from:l.to])
		value = after
		first = strings.IndexByte(value, markEdge)
	}
	return b.String() + value
}

// plainText is a word without its quotes, if it is nothing but plain text.
func plainText(w *syntax.Word) string {
	if len(w.Parts) != 1 {
		return ""
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return p.Value
	case *syntax.SglQuoted:
		return p.Value
	case *syntax.DblQuoted:
		if len(p.Parts) == 1 {
			if lit, ok := p.Parts[0].(*syntax.Lit); ok {
				return lit.Value
			}
		}
	}
	return ""
}

// Offset is where a place of the shortened command is in the whole one.
func (c *CutCommand) Offset(at int) int {
	if c == nil {
		return at
	}
	for i := range c.literals {
		l := &c.literals[i]
		if at <= l.from {
			break
		}
		at += l.to - l.from - len(markOf(i))
	}
	return at
}

// MaxNesting is how many brackets, groups and compound commands may be inside one another.
const MaxNesting = 150

// maxConditions is how many ifs one text may have; the parser goes down a level for each that is not closed.
const maxConditions = 4000

// NestsTooDeep finds hostile nesting before the parser, which recurses, gets to see it. It counts more than it needs
// to, in quotes and comments too, which no real command makes matter.
func NestsTooDeep(text string) bool {
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
		if ifs > maxConditions || round > MaxNesting || curly > MaxNesting || square > 4*MaxNesting || ticks > 4*MaxNesting {
			return true
		}
	}
	return false
}
