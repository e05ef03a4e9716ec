package literal

import (
	"strings"
	"unicode/utf8"
)

// The type "search" looks for large literal texts in a command. It understands quotes, comments, substitutions and
// here-documents well enough for usual commands.
type search struct {
	text    string
	minSize int
	at      int // current offset
	found   []literal
	// The field "pending" holds the here-documents whose text begins on the next line.
	pending []hereDocument
	depth   int
	// The field "endless" counts the here-documents without an end.
	endless int
	// The field "next" holds one offset for each byte in specialInQuotes: the next place where this byte occurs.
	next [len(specialInQuotes)]int
}

// specialInQuotes lists the bytes that have a special meaning in double quotes.
const specialInQuotes = "\"\\$`"

// hereDocument is a here-document. The search has found its operator <<, but not yet its text.
type hereDocument struct {
	delimiter string
	quoted    bool
	tabs      bool // <<-
}

// These are the limits of the search. A command that exceeds a limit is parsed unchanged.
const (
	maxLiterals      = 64
	maxSubstitutions = 20
	maxEndless       = 4 // here-documents without an end
)

// commands() searches the text up to its end. If the parameter "nested" is set, it searches only up to the closing
// bracket of a substitution. commands() returns false if the text cannot be understood.
func (s *search) commands(nested bool) bool {
	brackets := 0
	for s.at < len(s.text) {
		ok := true
		switch c := s.text[s.at]; c {
		case '\\':
			s.at += 2
		case '\'':
			ok = s.singleQuotes()
		case '"':
			ok = s.doubleQuotes()
		case '<':
			s.hereOperator()
		case '\n':
			s.at++
			s.hereDocuments()
			ok = s.endless <= maxEndless
		case '#':
			s.comment()
		case '(':
			brackets++
			s.at++
		case ')':
			s.at++
			if brackets--; brackets < 0 && nested {
				return true
			}
		default:
			s.at++
		}
		if !ok {
			return false
		}
	}
	return !nested
}

func (s *search) singleQuotes() bool {
	if s.at > 0 && s.text[s.at-1] == '$' {
		return false
	}
	from := s.at + 1
	size := strings.IndexByte(s.text[from:], '\'')
	if size < 0 {
		return false
	}
	s.add(literal{kind: singleQuoted, from: from, to: from + size})
	s.at = from + size + 1
	return true
}

func (s *search) doubleQuotes() bool {
	s.at++
	for {
		to := s.nextSpecial()
		s.add(literal{kind: doubleQuoted, from: s.at, to: to})
		if s.at = to; s.at == len(s.text) {
			return false
		}
		switch s.text[s.at] {
		case '"':
			s.at++
			return true
		case '\\':
			s.at = min(s.at+2, len(s.text))
		case '$':
			if s.at++; !strings.HasPrefix(s.text[s.at:], "(") {
				s.at = s.nextSpecial() // skip the name of a variable
			} else if !s.substitution() {
				return false
			}
		default:
			return false
		}
	}
}

// nextSpecial returns the offset of the next byte that has a special meaning in double quotes, or the length of the
// text. It remembers the next offset of each such byte, so that the whole search takes linear time.
func (s *search) nextSpecial() int {
	nearest := len(s.text)
	for i := range s.next {
		if s.next[i] <= s.at {
			s.next[i] = len(s.text)
			if size := strings.IndexByte(s.text[s.at:], specialInQuotes[i]); size >= 0 {
				s.next[i] = s.at + size
			}
		}
		nearest = min(nearest, s.next[i])
	}
	return nearest
}

func (s *search) substitution() bool {
	if s.depth >= maxSubstitutions {
		return false
	}
	s.depth++
	defer func() { s.depth-- }()
	s.at++
	return s.commands(true)
}

// comment() skips a comment. If the # is inside a word, the method skips only the #.
func (s *search) comment() {
	if s.at > 0 && strings.IndexByte(" \t\n;&|()", s.text[s.at-1]) < 0 {
		s.at++
		return
	}
	size := strings.IndexByte(s.text[s.at:], '\n')
	if size < 0 {
		size = len(s.text) - s.at
	}
	s.at += size
}

// hereOperator reads the operator << and the delimiter after it. It ignores the here-document if the delimiter is not a
// plain word. It skips any other redirection.
func (s *search) hereOperator() {
	rest := s.text[s.at:]
	if !strings.HasPrefix(rest, "<<") || strings.HasPrefix(rest, "<<<") {
		s.at += len(rest) - len(strings.TrimLeft(rest, "<"))
		return
	}
	var d hereDocument
	rest, d.tabs = strings.CutPrefix(rest[2:], "-")
	rest = strings.TrimLeft(rest, " \t")
	quote := ""
	if rest != "" && strings.IndexByte(`'"\`, rest[0]) >= 0 {
		d.quoted, quote, rest = true, rest[:1], rest[1:]
	}
	after := strings.TrimLeft(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
	d.delimiter = rest[:len(rest)-len(after)]
	if quote == "'" || quote == `"` {
		after, _ = strings.CutPrefix(after, quote)
	}
	s.at = len(s.text) - len(after)
	if d.delimiter != "" {
		s.pending = append(s.pending, d)
	}
}

// hereDocuments skips the here-documents that begin on this line. It adds the text of each here-document in which a
// shell expands nothing.
func (s *search) hereDocuments() {
	for _, d := range s.pending {
		end := s.endOf(d)
		if end < 0 {
			s.endless++
			continue
		}
		l := literal{kind: rawDocument, from: s.at, to: max(s.at, end-1), delimiter: d.delimiter}
		if !d.quoted {
			l.kind = plainDocument
		}
		if !d.tabs && (d.quoted || !mayExpand(s.text[s.at:end])) {
			s.add(l)
		}
		s.at = min(end+len(d.delimiter)+1, len(s.text))
	}
	s.pending = s.pending[:0]
}

// mayExpand reports whether a shell may expand something in a here-document whose delimiter is not quoted.
func mayExpand(text string) bool {
	return strings.IndexByte(text, '$') >= 0 || strings.IndexByte(text, '`') >= 0 || strings.IndexByte(text, '\\') >= 0
}

// endOf returns the offset of the line that ends a here-document, or -1.
func (s *search) endOf(d hereDocument) int {
	for at := s.at; ; at++ {
		size := strings.Index(s.text[at:], d.delimiter)
		if size < 0 {
			return -1
		}
		at += size
		after := at + len(d.delimiter)
		before := strings.TrimRight(s.text[s.at:at], "\t")
		if !d.tabs {
			before = s.text[s.at:at]
		}
		if (before == "" || before[len(before)-1] == '\n') && (after == len(s.text) || s.text[after] == '\n') {
			return at
		}
	}
}

// add() records a literal text, unless the text is too small or the parser would change the text.
func (s *search) add(l literal) {
	text := s.text[l.from:l.to]
	if len(text) >= s.minSize && len(s.found) < maxLiterals &&
		strings.IndexByte(text, 0) < 0 && strings.IndexByte(text, '\r') < 0 && utf8.ValidString(text) {
		s.found = append(s.found, l)
	}
}
