package talk

import (
	"bytes"
	"unicode/utf8"
)

// index() returns the index at which a phrase occurs as whole words in a text that fold() has prepared. It returns -1
// if there is none.
func index(text []byte, phrase string) int {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(phrase))
		if i < 0 {
			return -1
		}
		if i += from; isWhole(text, i, i+len(phrase)) {
			return i
		}
		from = i + 1
	}
}

// isWhole reports whether text[from:to] begins and ends at the borders of words.
func isWhole(text []byte, from, to int) bool {
	before, _ := utf8.DecodeLastRune(text[:from])
	after, _ := utf8.DecodeRune(text[to:])
	return !inWord(before) && !inWord(after)
}

func hasAny(text []byte, phrases []string) bool {
	for _, phrase := range phrases {
		if index(text, phrase) >= 0 {
			return true
		}
	}
	return false
}

// opener() returns the first of the phrases with which a text begins, or "".
func opener(text []byte, phrases []string) string {
	for _, phrase := range phrases {
		if bytes.HasPrefix(text, []byte(phrase)) && isWhole(text, 0, len(phrase)) {
			return phrase
		}
	}
	return ""
}

// closing() returns the first of the phrases with which a text ends, or "".
func closing(text []byte, phrases []string) string {
	for _, phrase := range phrases {
		if bytes.HasSuffix(text, []byte(phrase)) && isWhole(text, len(text)-len(phrase), len(text)) {
			return phrase
		}
	}
	return ""
}

// firstRun returns the first run of letters, digits and underscores in a text, and the text after it.
func firstRun(text []byte) (run, rest []byte) {
	start := bytes.IndexFunc(text, inWord)
	if start < 0 {
		return nil, nil
	}
	text = text[start:]
	end := bytes.IndexFunc(text, func(r rune) bool { return !inWord(r) })
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}
