package document

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape is the text that the inside of a JSON string stands for; false when an escape in it is none. Half of a
// surrogate pair, and bytes that are no UTF-8, become the replacement character, as everywhere in the client.
//
// What stands between escapes is taken over as a whole: a tool's input is often a file of a hundred kilobytes.
func unescape(inner []byte) (string, bool) {
	var out strings.Builder
	out.Grow(len(inner))
	valid := utf8.Valid(inner)
	for {
		next := bytes.IndexByte(inner, '\\')
		if next < 0 {
			takeOver(&out, inner, valid)
			return out.String(), true
		}
		takeOver(&out, inner[:next], valid)
		inner = inner[next:]
		if len(inner) == 1 {
			return "", false
		}
		r, size, ok := escapeAt(inner)
		if !ok {
			return "", false
		}
		out.WriteRune(r)
		inner = inner[size:]
	}
}

// IsText reports whether Text has a value, without putting it together.
func IsText(raw []byte) bool {
	inner, ok := inside(raw)
	for ok {
		next := bytes.IndexByte(inner, '\\')
		if next < 0 {
			return true
		}
		if inner = inner[next:]; len(inner) == 1 {
			return false
		}
		var size int
		_, size, ok = escapeAt(inner)
		inner = inner[min(size, len(inner)):]
	}
	return false
}

// takeOver adds a text without escapes.
func takeOver(out *strings.Builder, plain []byte, valid bool) {
	if valid {
		out.Write(plain)
		return
	}
	for len(plain) > 0 {
		r, size := utf8.DecodeRune(plain)
		out.WriteRune(r)
		plain = plain[size:]
	}
}

// escapeAt reads the escape that a text begins with, and says how long it is.
func escapeAt(text []byte) (r rune, size int, ok bool) {
	switch text[1] {
	case '"', '\\', '/':
		return rune(text[1]), 2, true
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case 'u':
		return unicodeEscape(text)
	}
	return 0, 0, false
}

// unicodeEscape reads \uXXXX, or two of them that make one character.
func unicodeEscape(text []byte) (r rune, size int, ok bool) {
	const one = len(`\u0000`)
	r, ok = hexadecimal(text)
	if !ok || !utf16.IsSurrogate(r) {
		return r, one, ok
	}
	if low, paired := hexadecimal(text[one:]); paired {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, 2 * one, true
		}
	}
	return utf8.RuneError, one, true
}

func hexadecimal(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

// AppendText adds a text as a JSON string; what is not UTF-8 in it becomes the replacement character.
func AppendText(to []byte, text string) []byte {
	const digits = "0123456789abcdef"
	to = append(to, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			to = append(to, '\\', byte(r))
		case r == '\n':
			to = append(to, '\\', 'n')
		case r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029:
			to = append(to, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		default:
			to = utf8.AppendRune(to, r)
		}
	}
	return append(to, '"')
}
