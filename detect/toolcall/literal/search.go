package literal

import (
	"strings"
	"unicode/utf8"
)

// search looks for large literal texts in a command. It understands quotes, comments, substitutions and here-documents
// well enough for usual commands.
type search struct {
	text    string
	minSize int
	at      int // current offset
	found   []literal
	// pending are the here-documents that begin on the next line.
	pending []hereDocument
	depth   int
	// next holds the offset of the next occurrence of each byte of specialInQuotes.
	next [len(specialInQuotes)]int
}

// specialInQuotes are the bytes with a special meaning in double quotes.
const specialInQuotes = "\"\\$`"

// hereDocument is the operator << with the delimiter of its text.
type hereDocument struct {
	delimiter string
	quoted    bool
	tabs      bool // <<-
}

// Limits of the search. A command beyond them is parsed unchanged.
const (
	maxLiterals      = 64
	maxSubstitutions = 20
)

// commands searches commands up to the end of the text or, if nested, up to the closing bracket of a substitution. It
// returns false if it cannot understand the text.
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

// nextSpecial returns the offset of the next byte with a special meaning in double quotes, or the length of the text.
// It caches the next offset of each such byte, so that the whole search stays linear.
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

// comment skips a comment, or a # inside a word.
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

// hereOperator reads << and the delimiter of the here-document, if it is a plain word. It skips other redirections.
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

// hereDocuments skips the here-documents that begin on this line, and adds the texts of those that have nothing to
// expand.
func (s *search) hereDocuments() {
	for _, d := range s.pending {
		end := s.endOf(d)
		if end < 0 {
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

// mayExpand reports whether a shell may expand something in an unquoted here-document.
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

// add records a literal text if it is large enough and the parser would not change it.
func (s *search) add(l literal) {
	text := s.text[l.from:l.to]
	if len(text) >= s.minSize && len(s.found) < maxLiterals &&
		strings.IndexByte(text, 0) < 0 && strings.IndexByte(text, '\r') < 0 && utf8.ValidString(text) {
		s.found = append(s.found, l)
	}
}
