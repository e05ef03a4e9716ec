package literal

import (
	"strings"
	"unicode/utf8"
)

// literalSearch looks through a command for large texts that stand for themselves. It knows quotes, comments,
// substitutions and here-documents as far as it takes to be right about usual commands.
type literalSearch struct {
	text  string
	least int
	at    int
	found []literal
	// pending are the here-documents that begin at the next line.
	pending []hereMark
	depth   int
	// next is where each of the bytes that mean something in double quotes stands next.
	next [len(inDoubleQuotes)]int
}

const inDoubleQuotes = "\"\\$`"

// hereMark is what stands behind <<.
type hereMark struct {
	end    string
	quoted bool
	tabs   bool // <<-
}

// maxLiterals and maxSubstitutions bound the search; a command beyond them is parsed as it stands.
const (
	maxLiterals      = 64
	maxSubstitutions = 20
)

// code goes through commands: to the end of the text or, inside of a substitution, behind its closing bracket. It is
// false when it does not know how to go on.
func (s *literalSearch) code(nested bool) bool {
	brackets := 0
	for s.at < len(s.text) {
		ok := true
		switch c := s.text[s.at]; c {
		case '\\':
			s.at += 2
		case '\'':
			ok = s.single()
		case '"':
			ok = s.double()
		case '<':
			s.hereMark()
		case '\n':
			s.at++
			s.bodies()
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

func (s *literalSearch) single() bool {
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

func (s *literalSearch) double() bool {
	s.at++
	for {
		to := s.special()
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
				s.at = s.special() // the name of a variable is no literal text
			} else if !s.substitution() {
				return false
			}
		default:
			return false
		}
	}
}

// special is where the next byte stands that means something in double quotes. Each of them is looked for once.
func (s *literalSearch) special() int {
	nearest := len(s.text)
	for i := range s.next {
		if s.next[i] <= s.at {
			s.next[i] = len(s.text)
			if size := strings.IndexByte(s.text[s.at:], inDoubleQuotes[i]); size >= 0 {
				s.next[i] = s.at + size
			}
		}
		nearest = min(nearest, s.next[i])
	}
	return nearest
}

func (s *literalSearch) substitution() bool {
	if s.depth >= maxSubstitutions {
		return false
	}
	s.depth++
	defer func() { s.depth-- }()
	s.at++
	return s.code(true)
}

func (s *literalSearch) comment() {
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

// hereMark reads << and the word that ends the here-document, if it is a plain one.
func (s *literalSearch) hereMark() {
	rest := s.text[s.at:]
	if !strings.HasPrefix(rest, "<<") || strings.HasPrefix(rest, "<<<") {
		s.at += len(rest) - len(strings.TrimLeft(rest, "<"))
		return
	}
	var m hereMark
	rest, m.tabs = strings.CutPrefix(rest[2:], "-")
	rest = strings.TrimLeft(rest, " \t")
	quote := ""
	if rest != "" && strings.IndexByte(`'"\`, rest[0]) >= 0 {
		m.quoted, quote, rest = true, rest[:1], rest[1:]
	}
	after := strings.TrimLeft(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
	m.end = rest[:len(rest)-len(after)]
	if quote == "'" || quote == `"` {
		after, _ = strings.CutPrefix(after, quote)
	}
	s.at = len(s.text) - len(after)
	if m.end != "" {
		s.pending = append(s.pending, m)
	}
}

// bodies steps over the here-documents that begin at this line.
func (s *literalSearch) bodies() {
	for _, m := range s.pending {
		end := s.endLine(m)
		if end < 0 {
			continue
		}
		l := literal{kind: rawDocument, from: s.at, to: max(s.at, end-1), end: m.end}
		if !m.quoted {
			l.kind = plainDocument
		}
		if !m.tabs && (m.quoted || !putsIn(s.text[s.at:end])) {
			s.add(l)
		}
		s.at = min(end+len(m.end)+1, len(s.text))
	}
	s.pending = s.pending[:0]
}

// putsIn reports whether a shell may put something into a text that is not quoted.
func putsIn(text string) bool {
	return strings.IndexByte(text, '$') >= 0 || strings.IndexByte(text, '`') >= 0 || strings.IndexByte(text, '\\') >= 0
}

// endLine is where the line begins that ends a here-document, or -1.
func (s *literalSearch) endLine(m hereMark) int {
	for at := s.at; ; at++ {
		size := strings.Index(s.text[at:], m.end)
		if size < 0 {
			return -1
		}
		at += size
		behind := at + len(m.end)
		before := strings.TrimRight(s.text[s.at:at], "\t")
		if !m.tabs {
			before = s.text[s.at:at]
		}
		if (before == "" || before[len(before)-1] == '\n') && (behind == len(s.text) || s.text[behind] == '\n') {
			return at
		}
	}
}

// add notes a text if it is worth it and if the parser would take it as it stands.
func (s *literalSearch) add(l literal) {
	text := s.text[l.from:l.to]
	if len(text) >= s.least && len(s.found) < maxLiterals && strings.IndexByte(text, 0) < 0 && strings.IndexByte(text, '\r') < 0 && utf8.ValidString(text) {
		s.found = append(s.found, l)
	}
}
