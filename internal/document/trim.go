package document

import "strings"

// The trim functions of Go's package bytes would add 3 KB to the largest hook, because they know all of Unicode.

// The constant "blank" has the white space that JSON allows between two values.
const blank = " \t\r\n"

// Trim returns a text without the white space at its beginning and its end.
func Trim(text []byte) []byte { return TrimEnd(TrimStart(text), blank) }

// TrimStart returns a text without the white space at its beginning.
func TrimStart(text []byte) []byte {
	for len(text) > 0 && strings.IndexByte(blank, text[0]) >= 0 {
		text = text[1:]
	}
	return text
}

// TrimEnd removes bytes from the end of a text as long as they occur in the parameter "cut".
func TrimEnd(text []byte, cut string) []byte {
	for len(text) > 0 && strings.IndexByte(cut, text[len(text)-1]) >= 0 {
		text = text[:len(text)-1]
	}
	return text
}
