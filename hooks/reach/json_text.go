package reach

import (
	"bytes"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str steps over a string.
func (s *scanner) str() bool {
	if s.at >= len(s.text) || s.text[s.at] != '"' {
		return s.fail("is not JSON: a name in quotes is missing")
	}
	s.at++
	for {
		s.at = special(s.text, s.at)
		if s.at >= len(s.text) {
			return s.fail("")
		}
		switch s.text[s.at] {
		case '"':
			s.at++
			return true
		case '\\':
			if !s.escape() {
				return s.fail("is not JSON: a wrong escape in a string")
			}
		default:
			return s.fail("is not JSON: a control character in a string")
		}
	}
}

// special is the place of the next byte that means something inside a string: a quote, a backslash or a control
// character. It looks at eight bytes at a time, as most of an answer is text.
func special(text []byte, at int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		b := text[at : at+8 : at+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		// A byte borrows from the one above it only when it is found itself, so the lowest find is a true one.
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

// escape steps over an escape.
func (s *scanner) escape() bool {
	rest := s.text[s.at:]
	if len(rest) < 2 {
		s.at = len(s.text)
		return false
	}
	switch rest[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at += 2
		return true
	}
	if _, ok := hexRune(rest); !ok {
		return false
	}
	s.at += len(`\u0000`)
	return true
}

// hexRune reads \uXXXX.
func hexRune(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

// one steps over one byte, if it is one of these.
func (s *scanner) one(of string) bool {
	if s.at < len(s.text) && strings.IndexByte(of, s.text[s.at]) >= 0 {
		s.at++
		return true
	}
	return false
}

// digits steps over digits, of which there must be one at least.
func (s *scanner) digits() bool {
	from := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at > from
}

// unescape is what the inside of a string means, which a scanner has stepped over. Without an escape it is the same text.
func unescape(inside []byte) []byte {
	next := bytes.IndexByte(inside, '\\')
	if next < 0 {
		return inside
	}
	out := make([]byte, 0, len(inside))
	for ; next >= 0; next = bytes.IndexByte(inside, '\\') {
		out = append(out, inside[:next]...)
		var r rune
		r, inside = escaped(inside[next:])
		out = utf8.AppendRune(out, r)
	}
	return append(out, inside...)
}

// escaped reads the escape that a text begins with. Half of a surrogate pair becomes the replacement character.
func escaped(text []byte) (rune, []byte) {
	c := rune(text[1])
	switch c {
	case 'u':
		return surrogates(text)
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	}
	return c, text[2:]
}

func surrogates(text []byte) (rune, []byte) {
	const one = len(`\u0000`)
	r, _ := hexRune(text)
	text = text[one:]
	if utf16.IsSurrogate(r) {
		low, _ := hexRune(text)
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			text = text[one:]
		}
	}
	return r, text
}
