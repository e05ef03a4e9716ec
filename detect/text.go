package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clientWrapper begins the prompts that the client writes itself when a background task ends: what a subagent
// reported is no request of the user's.
const clientWrapper = "<task-notification>"

func writtenByClient(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return len(prompt) >= len(clientWrapper) && strings.EqualFold(prompt[:len(clientWrapper)], clientWrapper)
}

// kind is what a character is to the words of a text.
type kind uint8

const (
	// other characters end a word.
	other kind = iota
	// mark makes another letter of the one before it: it continues a word and begins none.
	mark
	// alnum is a letter or a digit.
	alnum
)

// kindAt returns the kind of the character at i and its size in bytes.
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

// isPlain reports an ASCII letter or digit. Hot loops ask it first, for it is what most text consists of.
func isPlain(c byte) bool { return (c|0x20)-'a' < 26 || c-'0' < 10 }

// nextWord is where the next word begins at or after i; a letter behind an underscore begins none.
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

// runEnd is the end of the run of letters, digits, marks and underscores at i.
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

// wordEnd is the end of the letters, digits and marks at i.
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

func endsWord(text string, i int) bool {
	if i == len(text) {
		return true
	}
	k, _ := kindAt(text, i)
	return k == other
}

// gapEnd is the end of the white space and hyphens at i, which may stand between two words of a phrase.
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

// fold makes letters of either case equal.
func fold(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	if r < utf8.RuneSelf {
		return r
	}
	return foldWide(r)
}

// foldWide never makes an ASCII letter of another: the Kelvin sign is no "k".
func foldWide(r rune) rune {
	if lower := unicode.ToLower(r); lower >= utf8.RuneSelf {
		return lower
	}
	return r
}
