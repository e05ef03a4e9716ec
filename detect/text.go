package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clientWrapper is the beginning of a prompt that the client itself writes when a background task ends. The prompt
// contains the report of a subagent, not a request of the user.
const clientWrapper = "<task-notification>"

func writtenByClient(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return len(prompt) >= len(clientWrapper) && strings.EqualFold(prompt[:len(clientWrapper)], clientWrapper)
}

// kind is the role that a character plays in words.
type kind uint8

const (
	// The constant "other" is the kind of all characters that end a word.
	other kind = iota
	// The constant "mark" is the kind of characters that modify the letter before them. Such characters continue a word
	// but do not start a word.
	mark
	// alnum is the kind of letters and digits.
	alnum
)

func kindAt(text string, i int) (kind, int) {
	if c := text[i]; isPlain(c) {
		return alnum, 1
	} else if c < utf8.RuneSelf {
		return other, 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return alnum, size
	case unicode.IsMark(r):
		return mark, size
	}
	return other, size
}

// isPlain reports whether a byte is an ASCII letter or digit. Loops that run very often check it first, because most
// text is ASCII.
func isPlain(c byte) bool { return (c|0x20)-'a' < 26 || c-'0' < 10 }

// nextWord returns the start of the next word at or after i. A letter after an underscore does not start a word.
func nextWord(text string, i int) int {
	for i < len(text) && !isPlain(text[i]) {
		if text[i] == '_' {
			i = runEnd(text, i)
			continue
		}
		k, size := kindAt(text, i)
		if k == alnum {
			break
		}
		i += size
	}
	return i
}

// runEnd returns the end of the run of letters, digits, marks and underscores at i.
func runEnd(text string, i int) int {
	for i < len(text) {
		if c := text[i]; isPlain(c) || c == '_' {
			i++
			continue
		}
		k, size := kindAt(text, i)
		if k == other {
			break
		}
		i += size
	}
	return i
}

// wordEnd returns the end of the run of letters, digits and marks at i.
func wordEnd(text string, i int) int {
	for i < len(text) {
		k, size := kindAt(text, i)
		if k == other {
			break
		}
		i += size
	}
	return i
}

// endsWord reports whether no letter, digit or mark follows a word that ends at i.
func endsWord(text string, i int) bool {
	if i == len(text) {
		return true
	}
	k, _ := kindAt(text, i)
	return k == other
}

// gapEnd returns the end of the run of white space and hyphens at i. Such a run may separate two words of a phrase.
func gapEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isGap(r) {
			break
		}
		i += size
	}
	return i
}

func isGap(r rune) bool { return r == '-' || unicode.IsSpace(r) }

func fold(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	if r < utf8.RuneSelf {
		return r
	}
	return foldWide(r)
}

// foldWide returns a non-ASCII letter in lower case. It never returns an ASCII letter, so the Kelvin sign does not
// become "k".
func foldWide(r rune) rune {
	if lower := unicode.ToLower(r); lower >= utf8.RuneSelf {
		return lower
	}
	return r
}
