package talk

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold() appends a text in the form in which texts are compared: composed (NFC), in lower case, and with plain
// apostrophes.
func fold(to []byte, text string) []byte {
	to = slices.Grow(to, len(text))
	ascii := 0
	for ascii < len(text) && text[ascii] < utf8.RuneSelf {
		ascii++
	}
	if ascii == len(text) {
		return lowerASCII(to, text)
	}
	start := len(to)
	if ascii > 0 {
		ascii-- // the last of these letters may join with the mark after it
	}
	to = lowerASCII(to, text[:ascii])
	composed := norm.NFC.String(text[ascii:])
	for composed != "" {
		r, size := utf8.DecodeRuneInString(composed)
		composed = composed[size:]
		to = appendLower(to, r, to[start:], composed)
	}
	return to
}

func lowerASCII(to []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}

// appendLower appends a letter in lower case. The parameters "before" and "after" are the texts on either side of
// the letter.
func appendLower(to []byte, r rune, before []byte, after string) []byte {
	switch {
	case r < utf8.RuneSelf:
		return lowerASCII(to, string(r))
	case r == '’' || r == '‘' || r == 'ʼ':
		return append(to, '\'')
	case r == 'İ':
		return append(to, "i̇"...)
	case r == 'Σ' && endsWord(before, after):
		return append(to, "ς"...)
	}
	return utf8.AppendRune(to, unicode.ToLower(r))
}

// endsWord reports whether a letter is the last letter of a word with several letters. The parameters "before" and
// "after" are the texts on either side of the letter.
func endsWord(before []byte, after string) bool {
	last, _ := utf8.DecodeLastRune(before)
	next, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(last) && !unicode.IsLetter(next)
}

// inWord reports whether a character is part of a word: a letter, a digit or an underscore.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
