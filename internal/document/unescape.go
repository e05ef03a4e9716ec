package document

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns the value of a JSON string. Bytes that are not UTF-8 become the replacement character.
func Text(raw []byte) (string, bool) {
	inner, ok := inside(raw)
	if !ok {
		return "", false
	}
	if strings.IndexByte(inner, '\\') < 0 && utf8.ValidString(inner) {
		return strings.Clone(inner), true
	}
	return unescape(inner)
}

// TextBytes is like Text, but returns bytes.
func TextBytes(raw []byte) ([]byte, bool) {
	inner, ok := inside(raw)
	if !ok {
		return nil, false
	}
	return appendUnescaped(make([]byte, 0, len(inner)), inner)
}

// IsText reports whether Text accepts a value. It does not build the string.
func IsText(raw []byte) bool {
	inner, ok := inside(raw)
	for ok {
		next := strings.IndexByte(inner, '\\')
		if next < 0 {
			return true
		}
		inner = inner[next:]
		size := escapeSize(inner)
		inner, ok = inner[size:], size > 0
	}
	return false
}

// inside() returns the text between the quotes of a JSON string.
func inside(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	return asString(raw[1 : len(raw)-1]), true
}

func unescape(inner string) (string, bool) {
	out, ok := appendUnescaped(make([]byte, 0, len(inner)), inner)
	return asString(out), ok
}

// appendUnescaped appends the value of a JSON string. The parameter "inner" is the text between its quotes. The result
// is false if there is an unknown escape. Bytes that are not UTF-8, and half of a surrogate pair, become the
// replacement character, because the client does the same.
//
// The text between two escapes is copied in one piece. This saves time, because the input of a tool is often a file of
// a hundred kilobytes.
func appendUnescaped(out []byte, inner string) ([]byte, bool) {
	valid := utf8.ValidString(inner)
	for {
		next := strings.IndexByte(inner, '\\')
		if next < 0 {
			return appendValid(out, inner, valid), true
		}
		out = appendValid(out, inner[:next], valid)
		inner = inner[next:]
		r, size := readEscape(inner)
		switch {
		case size == 0:
			return nil, false
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		default:
			out = utf8.AppendRune(out, r)
		}
		inner = inner[size:]
	}
}

// appendValid appends a text without escapes. If the parameter "valid" is not set, it replaces bytes that are not
// UTF-8.
func appendValid(out []byte, text string, valid bool) []byte {
	if valid {
		return append(out, text...)
	}
	for _, r := range text {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// escapeSize returns the length of the escape at the beginning of a text, or 0 if there is none. In a surrogate pair,
// it returns the length of the first half.
func escapeSize(text string) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	}
	if _, ok := hexadecimal(text); ok {
		return len(`\u0000`)
	}
	return 0
}

// readEscape reads the escape at the beginning of a text. It returns the escaped character and the length of the
// escape. The length is 0 if the escape is unknown.
func readEscape(text string) (r rune, size int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch c := text[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	return unicodeEscape(text)
}

// unicodeEscape reads an escape such as \u00e9, or two such escapes that together encode one character.
func unicodeEscape(text string) (r rune, size int) {
	const one = len(`\u0000`)
	r, ok := hexadecimal(text)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, one
	}
	if low, ok := hexadecimal(text[one:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, 2 * one
		}
	}
	return utf8.RuneError, one
}

func hexadecimal(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}

// AppendText appends a text as a JSON string. Bytes that are not UTF-8 become the replacement character. The text
// between two characters that need an escape is copied in one piece.
func AppendText(to []byte, text string) []byte {
	to = append(to, '"')
	from, at := 0, 0
	for at < len(text) {
		if c := text[at]; c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if !needsEscape(r, size) {
			at += size
			continue
		}
		to = appendEscaped(append(to, text[from:at]...), r)
		at += size
		from = at
	}
	return append(append(to, text[from:]...), '"')
}

// needsEscape reports whether AppendText must escape or replace a character. The parameter "size" is the number of
// bytes of the character. For a byte that is not UTF-8, size is 1.
func needsEscape(r rune, size int) bool {
	return r < 0x80 || r == 0x2028 || r == 0x2029 || r == utf8.RuneError && size == 1
}

func appendEscaped(to []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(to, '\\', byte(r))
	case '\n':
		return append(to, '\\', 'n')
	case utf8.RuneError:
		return utf8.AppendRune(to, r)
	}
	return append(to, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
