package document

import (
	"math/bits"
	"strconv"
	"unsafe"
)

// Scanner steps over the values of a JSON text without storing them. It reads each byte once. It accepts only valid
// JSON, so a caller may copy the text of a value that the scanner has stepped over.
//
// Its methods report whether they succeeded. After a failure, Err says what is wrong.
type Scanner struct {
	text string
	pos  int
	line int
	// nameLine is the line of the field name that was read last.
	nameLine int
	depth    int
	limit    int
	err      *SyntaxError
}

// SyntaxError is the first mistake in a text.
type SyntaxError struct {
	Offset, Line    int
	Message, Remedy string
}

func (e *SyntaxError) Error() string { return e.Message }

// NewScanner returns a scanner of a text. The text must not change while it is scanned. The parameter "limit" is the
// maximum nesting depth of objects and lists.
func NewScanner(text []byte, limit int) Scanner {
	return Scanner{text: asString(text), line: 1, limit: limit}
}

// ScanString is like NewScanner, but for a string.
func ScanString(text string, limit int) Scanner { return Scanner{text: text, line: 1, limit: limit} }

// asString returns the bytes as a string without copying them.
func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Err returns the first mistake, or nil.
func (s *Scanner) Err() *SyntaxError { return s.err }

// Offset returns the number of bytes that the scanner has stepped over.
func (s *Scanner) Offset() int { return s.pos }

// Fail records a mistake at the current position, unless a mistake is already recorded. It returns false.
func (s *Scanner) Fail(message, remedy string) bool {
	if s.err == nil {
		s.err = &SyntaxError{s.pos, s.line, message, remedy}
	}
	return false
}

func (s *Scanner) notJSON(message, remedy string) bool {
	return s.Fail("is not JSON: "+message, remedy)
}

func (s *Scanner) cutOff() bool {
	return s.notJSON("ends in the middle of the document", "write the rest of it")
}

func (s *Scanner) unexpected(wanted string) bool {
	if s.Peek() == 0 {
		return s.cutOff()
	}
	found := []rune(s.text[s.pos:min(s.pos+4, len(s.text))])[0]
	return s.notJSON("expected "+wanted+", found "+strconv.QuoteRune(found), "fix the syntax here")
}

// notSpace is what Peek returns for a NUL byte in the text. Peek cannot return 0 for this byte, because 0 means the end
// of the text.
const notSpace = 1

// Peek returns the next byte that is not white space, or 0 at the end of the text.
func (s *Scanner) Peek() byte {
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; c {
		case '\n':
			s.line++
		case ' ', '\t', '\r':
		case 0:
			return notSpace
		default:
			return c
		}
	}
	return 0
}

// take() steps over white space and then the byte c. If the next byte is not c, it returns false and records no
// mistake.
func (s *Scanner) take(c byte) bool {
	if s.Peek() != c {
		return false
	}
	s.pos++
	return true
}

// End checks that only white space is left.
func (s *Scanner) End() bool {
	return s.Peek() == 0 || s.notJSON("more text follows the document", "keep one document per file")
}

// Skip steps over one value.
func (s *Scanner) Skip() bool {
	switch c := s.Peek(); {
	case c == '{':
		return s.Object(func(string) bool { return s.Skip() })
	case c == '[':
		return s.List(s.Skip)
	case c == '"':
		_, _, ok := s.stringBody()
		return ok
	case startsNumber(c):
		return s.number()
	}
	return s.literal() != ""
}

// Raw steps over one value and returns its text.
func (s *Scanner) Raw() (string, bool) {
	s.Peek()
	start := s.pos
	ok := s.Skip()
	return s.text[start:s.pos], ok
}

// Object steps over an object. It calls each() before every value, and each() must step over this value.
func (s *Scanner) Object(each func(name string) bool) bool {
	if !s.open('{', "an object") {
		return false
	}
	for done := s.take('}'); !done; {
		name, ok := s.name()
		if !ok || !each(name) {
			return false
		}
		if done = s.take('}'); !done && !s.take(',') {
			return s.unexpected("a comma or the end of the object")
		}
	}
	s.depth--
	return true
}

// List steps over a list. It calls each() before every item, and each() must step over this item.
func (s *Scanner) List(each func() bool) bool {
	if !s.open('[', "a list") {
		return false
	}
	for done := s.take(']'); !done; {
		if !each() {
			return false
		}
		if done = s.take(']'); !done && !s.take(',') {
			return s.unexpected("a comma or the end of the list")
		}
	}
	s.depth--
	return true
}

func (s *Scanner) open(bracket byte, what string) bool {
	if s.Peek() != bracket {
		return s.unexpected(what)
	}
	if s.depth++; s.depth > s.limit {
		return s.Fail("nests deeper than "+strconv.Itoa(s.limit)+" levels", "flatten it")
	}
	s.pos++
	return true
}

// name() reads the name of a field and the colon after it.
func (s *Scanner) name() (string, bool) {
	if s.Peek() != '"' {
		return "", s.unexpected("a key in quotes")
	}
	s.nameLine = s.line
	name, ok := s.str()
	return name, ok && (s.take(':') || s.unexpected("a colon"))
}

// str() steps over a string and returns its value. If the string has no escapes, the result shares memory with the
// text.
func (s *Scanner) str() (string, bool) {
	inner, escaped, ok := s.stringBody()
	if !ok || !escaped {
		return inner, ok
	}
	return unescape(inner)
}

// stringBody steps over a string and returns the text between its quotes.
func (s *Scanner) stringBody() (inner string, escaped, ok bool) {
	start := s.pos + 1
	for s.pos++; ; {
		s.pos = special(s.text, s.pos)
		if s.pos >= len(s.text) {
			s.pos = len(s.text)
			return "", false, s.cutOff()
		}
		switch s.text[s.pos] {
		case '"':
			s.pos++
			return s.text[start : s.pos-1], escaped, true
		case '\\':
			size := escapeSize(s.text[s.pos:])
			if size == 0 {
				return "", false, s.badEscape()
			}
			s.pos += size
			escaped = true
		default:
			return "", false, s.notJSON("has a control character in a string",
				`close the string or write it as \n, \t or \u00XX`)
		}
	}
}

func (s *Scanner) badEscape() bool {
	if s.pos+1 >= len(s.text) {
		return s.cutOff()
	}
	return s.notJSON(`has an unknown escape sequence in a string`, `write a backslash as \\`)
}

// special() returns the position of the next quote, backslash or control character. If there is none, it returns the
// length of the text. special() compares eight bytes at a time, because few bytes are one of these characters.
func special(text string, at int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		b := text[at : at+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		// The subtractions can borrow from the next higher byte. So the byte after a match can look like another match,
		// and only the lowest match is reliable.
		found := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w) & highs
		if found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for at < len(text) && text[at] != '"' && text[at] != '\\' && text[at] >= ' ' {
		at++
	}
	return at
}

// literal() steps over the word true, false or null and returns it. It returns "" for anything else.
func (s *Scanner) literal() string {
	start := s.pos
	for s.pos < len(s.text) && s.text[s.pos] >= 'a' && s.text[s.pos] <= 'z' {
		s.pos++
	}
	switch word := s.text[start:s.pos]; word {
	case "true", "false", "null":
		return word
	}
	s.pos = start
	s.unexpected("a value")
	return ""
}

func startsNumber(c byte) bool { return c == '-' || c >= '0' && c <= '9' }

func (s *Scanner) number() bool {
	if s.at('-') {
		s.pos++
	}
	whole := s.pos
	ok := s.digits() && (s.text[whole] != '0' || s.pos == whole+1)
	if ok && s.at('.') {
		s.pos++
		ok = s.digits()
	}
	if ok && (s.at('e') || s.at('E')) {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		ok = s.digits()
	}
	return ok || s.notJSON("has a number that is not valid in JSON", "write it as 12, -0.5 or 1e3")
}

func (s *Scanner) at(c byte) bool { return s.pos < len(s.text) && s.text[s.pos] == c }

func (s *Scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.text) && s.text[s.pos] >= '0' && s.text[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}
