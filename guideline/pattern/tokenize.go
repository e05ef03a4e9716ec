package pattern

import (
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	literal tokenKind = iota
	anyChar
	anyRun
	class
)

type token struct {
	kind tokenKind
	text string // the text of a literal, or the text between the brackets of a class
	not  bool   // a class such as [!a]
	deep bool   // a run of several stars
}

func tokenize(pattern string) []token {
	out := make([]token, 0, 4) // enough for most patterns
	start := 0
	for i := 0; i < len(pattern); {
		t, size := specialAt(pattern, i)
		if size == 0 {
			i++
			continue
		}
		if i > start {
			out = append(out, token{kind: literal, text: pattern[start:i]})
		}
		out = append(out, t)
		i += size
		start = i
	}
	if start < len(pattern) {
		out = append(out, token{kind: literal, text: pattern[start:]})
	}
	return out
}

// specialAt returns the wildcard or class at position i and its length. The length is 0 if there is an ordinary
// character.
func specialAt(pattern string, i int) (token, int) {
	switch pattern[i] {
	case '*':
		stars := len(pattern[i:]) - len(strings.TrimLeft(pattern[i:], "*"))
		return token{kind: anyRun, deep: stars > 1}, stars
	case '?':
		return token{kind: anyChar}, 1
	case '[':
		end := ClassEnd(pattern, i)
		if end < 0 {
			return token{}, 0
		}
		text, not := strings.CutPrefix(pattern[i+1:end], "!")
		return token{kind: class, text: text, not: not}, end + 1 - i
	}
	return token{}, 0
}

// ClassEnd returns the index of the ] that ends the class at position i. It returns -1 if there is none. A ] directly
// after [ or [! is a character of the class.
func ClassEnd(pattern string, i int) int {
	j := i + 1
	if j < len(pattern) && pattern[j] == '!' {
		j++
	}
	if j < len(pattern) && pattern[j] == ']' {
		j++
	}
	if k := strings.IndexByte(pattern[min(j, len(pattern)):], ']'); k >= 0 {
		return j + k
	}
	return -1
}

// matchesRune reports whether a ? or a class matches the character r.
func (t *token) matchesRune(r rune) bool { return t.kind == anyChar || t.inClass(r) }

// inClass reports whether r is in the class. A range such as z-a is empty.
func (t *token) inClass(r rune) bool {
	for low, high := range t.ranges {
		if low <= r && r <= high {
			return !t.not
		}
	}
	return t.not
}

// ranges() yields the first and the last character of each range in a class. For a single character, both are the same.
func (t *token) ranges(yield func(low, high rune) bool) {
	rest := t.text
	for rest != "" {
		low, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		high := low
		if len(rest) > 1 && rest[0] == '-' {
			high, size = utf8.DecodeRuneInString(rest[1:])
			rest = rest[1+size:]
		}
		if !yield(low, high) {
			return
		}
	}
}
