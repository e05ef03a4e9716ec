// Package literal cuts long literal texts out of a shell command before the command is parsed, and puts them back
// afterwards. Start with CutLiterals.
//
// A large command is nearly always a small command that contains a large text: the content of a file in a
// here-document, or a message in quotes. The parser reads every character of that text and copies it several times. To
// save this time, the package replaces the text with a placeholder before parsing, and restores it in the syntax tree.
//
// The search for such texts only guesses where they begin and end. The parser confirms the guess if it finds each
// placeholder as the content of single quotes, of double quotes, or of the expected here-document. If a placeholder is
// anywhere else, the whole command is parsed unchanged.
package literal

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// IsQuoted reports whether a part of a here-document's delimiter is in quotes.
func IsQuoted(w *syntax.Word) bool {
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

// NewParser returns a parser for scripts of a shell.
func NewParser(shell syntax.LangVariant, options ...syntax.ParserOption) *syntax.Parser {
	return syntax.NewParser(append(options, syntax.Variant(shell))...)
}

// CutFrom is the size in bytes of the smallest literal text that is cut out. Cutting out a smaller text saves no time.
const CutFrom = 1 << 10

type literal struct {
	kind     literalKind
	from, to int // offsets in the command
	// The field "delimiter" is the text that ends the here-document. It is empty for a text in quotes.
	delimiter string
	// The field "restored" is set after the placeholder was found at the place where the text belongs.
	restored bool
}

type literalKind uint8

const (
	singleQuoted literalKind = iota
	doubleQuoted
	rawDocument   // with a quoted delimiter
	plainDocument // with an unquoted delimiter, but nothing to expand
)

// CutCommand is a command from which the large literal texts are cut out.
type CutCommand struct {
	text, Short string
	literals    []literal
}

// placeholderEdge is the character with which a placeholder begins and ends.
const placeholderEdge = '\x01'

func placeholder(i int) string {
	return string(placeholderEdge) + strconv.Itoa(i) + string(placeholderEdge)
}

// CutLiterals cuts the literal texts of at least minSize bytes out of a command. It returns nil if there are none, or
// if they cannot be cut out.
func CutLiterals(text string, minSize int) *CutCommand {
	if len(text) < minSize || strings.IndexByte(text, placeholderEdge) >= 0 {
		return nil
	}
	s := search{text: text, minSize: minSize}
	if !s.commands(false) || len(s.found) == 0 {
		return nil
	}
	c := &CutCommand{text: text, literals: s.found}
	c.Short = c.shorten()
	// In backquotes, a shell removes one more level of escapes. The placeholders are not made for this extra level, so
	// no text is cut out of the command.
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
		b.WriteString(placeholder(i))
		at = l.to
	}
	b.WriteString(c.text[at:])
	return b.String()
}

// Parse parses the command and puts its literal texts back. It returns false if it cannot put all of them back.
func (c *CutCommand) Parse() ([]*syntax.Stmt, bool) {
	var out []*syntax.Stmt
	ok := true
	for stmt, err := range NewParser(syntax.LangBash).StmtsSeq(strings.NewReader(c.Short)) {
		ok = ok && err == nil
		if ok {
			syntax.Walk(stmt, c.restore)
			out = append(out, stmt)
		}
	}
	for i := range c.literals {
		ok = ok && c.literals[i].restored
	}
	return out, ok
}

// restore() puts the literal texts back into a node of the syntax tree. It always returns true, so that syntax.Walk
// visits every node.
func (c *CutCommand) restore(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.SglQuoted:
		if !n.Dollar {
			n.Value = c.original(n.Value, singleQuoted, "")
		}
	case *syntax.DblQuoted:
		for _, part := range n.Parts {
			if lit, ok := part.(*syntax.Lit); ok {
				lit.Value = c.original(lit.Value, doubleQuoted, "")
			}
		}
	case *syntax.Redirect:
		c.restoreDocument(n)
	}
	return true
}

func (c *CutCommand) restoreDocument(r *syntax.Redirect) {
	if r.Op != syntax.Hdoc || r.Hdoc == nil || len(r.Hdoc.Parts) != 1 {
		return
	}
	kind := plainDocument
	if IsQuoted(r.Word) {
		kind = rawDocument
	}
	if lit, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
		lit.Value = c.original(lit.Value, kind, plainText(r.Word))
	}
}

// original() replaces each placeholder in a text ("value") with the literal text for which it stands. It returns the
// text unchanged if a placeholder does not belong to this kind of text.
func (c *CutCommand) original(value string, kind literalKind, delimiter string) string {
	first := strings.IndexByte(value, placeholderEdge)
	if first < 0 {
		return value
	}
	var b strings.Builder
	for first >= 0 {
		size := strings.IndexByte(value[first+1:], placeholderEdge)
		i, err := strconv.Atoi(value[first+1 : first+1+max(size, 0)])
		if err != nil || i >= len(c.literals) || c.literals[i].kind != kind || c.literals[i].delimiter != delimiter {
			return value
		}
		l := &c.literals[i]
		l.restored = true
		before, after := value[:first], value[first+size+2:]
		isLast := strings.IndexByte(after, placeholderEdge) < 0
		if before == "" && b.Len() == 0 && isLast && strings.HasPrefix(c.text[l.to:], after) {
			// The whole result is a part of the command, so no copy is needed.
			return c.text[l.from : l.to+len(after)]
		}
		b.WriteString(before)
		b.WriteString(c.text[l.from:l.to])
		value = after
		first = strings.IndexByte(value, placeholderEdge)
	}
	return b.String() + value
}

// plainText returns the text of a word without its quotes. It returns "" if the word is not plain text.
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

// Offset converts an offset in the shortened command to an offset in the whole command.
func (c *CutCommand) Offset(at int) int {
	if c == nil {
		return at
	}
	for i := range c.literals {
		l := &c.literals[i]
		if at <= l.from {
			break
		}
		at += l.to - l.from - len(placeholder(i))
	}
	return at
}

// MaxNesting is the maximum depth of nested commands, parentheses and braces. There may be four times as many open
// square brackets, and four times as many escaped backquotes.
const MaxNesting = 150

// maxConditions is the maximum number of times that a text may contain "if". The parser goes one level deeper for each
// "if" that is not closed.
const maxConditions = 4000

// NestsTooDeep reports whether a text is nested so deeply that the recursive parser could exhaust its stack. It also
// counts brackets in quotes and comments, but no real command has enough of them to matter.
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
		if ifs > maxConditions || round > MaxNesting || curly > MaxNesting ||
			square > 4*MaxNesting || ticks > 4*MaxNesting {
			return true
		}
	}
	return false
}
