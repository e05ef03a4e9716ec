package toolcall

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A large command is nearly always a small one with a large text in it: a file's content in a here-document, a message
// in quotes. The parser looks at every letter of it and copies it several times. So the text is cut out before parsing,
// with a mark left in its place, and put back into what was parsed.
//
// The search for such texts (literals) only guesses. Where the parser finds the marks is what decides: a mark that is
// the content of single quotes, of double quotes, or of the very here-document that was looked for shows that the text
// between the same ends would be there too. If any mark is elsewhere, the whole command is parsed as it stands.

// cutFrom is how many bytes of literal text are worth cutting out.
const cutFrom = 1 << 10

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

// cutCommand is a command without its large literal texts.
type cutCommand struct {
	text, short string
	literals    []literal
}

const markEdge = '\x01'

func markOf(i int) string { return string(markEdge) + strconv.Itoa(i) + string(markEdge) }

// cutLiterals cuts the literal texts of a size out of a command; nil when there are none or it cannot be done.
func cutLiterals(text string, least int) *cutCommand {
	if len(text) < least || strings.IndexByte(text, markEdge) >= 0 {
		return nil
	}
	s := literalSearch{text: text, least: least}
	if !s.code(false) || len(s.found) == 0 {
		return nil
	}
	c := &cutCommand{text: text, literals: s.found}
	c.short = c.shorten()
	// In backquotes a shell reads everything once more, which the marks know nothing of.
	if strings.IndexByte(c.short, '`') >= 0 || nestsTooDeep(c.short) {
		return nil
	}
	return c
}

func (c *cutCommand) shorten() string {
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

// parse parses the command with its literal texts; false when they cannot be put back.
func (c *cutCommand) parse() ([]*syntax.Stmt, bool) {
	var out []*syntax.Stmt
	ok := true
	for stmt, err := range newParser().StmtsSeq(strings.NewReader(c.short)) {
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
func (c *cutCommand) putBack(n syntax.Node) bool {
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

func (c *cutCommand) putBackDocument(r *syntax.Redirect) {
	if r.Op != syntax.Hdoc || r.Hdoc == nil || len(r.Hdoc.Parts) != 1 {
		return
	}
	kind := plainDocument
	if isQuoted(r.Word) {
		kind = rawDocument
	}
	if lit, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
		lit.Value = c.restored(lit.Value, kind, plainText(r.Word))
	}
}

// restored is a value with the texts of a kind in the place of their marks.
func (c *cutCommand) restored(value string, kind literalKind, end string) string {
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

// offset is where a place of the shortened command is in the whole one.
func (c *cutCommand) offset(at int) int {
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
