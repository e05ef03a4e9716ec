package words

import (
	"strconv"
	"strings"
)

// UnescapeANSI decodes the escapes in a text that a shell script quotes as $'…'.
func UnescapeANSI(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		i += ansiEscape(&b, s[i:]) - 1
	}
	return b.String()
}

// ansiEscape writes the character for the escape at the start of s. It returns the length of the escape.
func ansiEscape(b *strings.Builder, s string) int {
	simple := "a\ab\be\x1bE\x1bf\fn\nr\rt\tv\v"
	for i := 0; i < len(simple); i += 2 {
		if s[0] == simple[i] {
			b.WriteByte(simple[i+1])
			return 1
		}
	}
	switch c := s[0]; {
	case c == 'x':
		return 1 + codePoint(b, s[1:], 16, 2, c)
	case c == 'u':
		return 1 + codePoint(b, s[1:], 16, 4, c)
	case c == 'U':
		return 1 + codePoint(b, s[1:], 16, 8, c)
	case c >= '0' && c <= '7':
		return codePoint(b, s, 8, 3, c)
	case c == 'c' && len(s) > 1:
		b.WriteByte(s[1] & 0x1f)
		return 2
	default:
		b.WriteByte(c)
		return 1
	}
}

// codePoint writes the character whose number is at the start of s. The number has at most width digits. codePoint
// returns the number of digits that it has read.
func codePoint(b *strings.Builder, s string, base, width int, kind byte) int {
	n := 0
	for n < width && n < len(s) {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	code, err := strconv.ParseUint(s[:n], base, 32)
	if err != nil {
		b.WriteByte(kind)
		return n
	}
	if kind == 'u' || kind == 'U' {
		b.WriteRune(rune(code))
	} else {
		b.WriteByte(byte(code))
	}
	return n
}

// IsHex reports whether a byte is a hexadecimal digit.
func IsHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// HexValue returns the value of a hexadecimal digit.
func HexValue(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}

// UnescapePercent decodes the escapes in a text such as a%20b.
func UnescapePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && IsHex(s[i+1]) && IsHex(s[i+2]) {
			b.WriteByte(HexValue(s[i+1])<<4 | HexValue(s[i+2]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
