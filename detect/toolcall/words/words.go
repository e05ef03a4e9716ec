// Package words has functions on text that all rooms of the analysis use.
package words

import "strings"

// Among is the word itself if it is one of a list, and otherwise something that is not the word: so a case of a switch can
// be a list of words with blanks between them. As so many constants they would be forty bytes of code each, in programs
// that are loaded for every tool call.
func Among(word, list string) string {
	if word == "" {
		return " "
	}
	for from := 0; ; {
		at := strings.Index(list[from:], word)
		if at < 0 {
			return ""
		}
		at += from
		end := at + len(word)
		if (at == 0 || list[at-1] == ' ') && (end == len(list) || list[end] == ' ') && strings.IndexByte(word, ' ') < 0 {
			return word
		}
		from = at + 1
	}
}

// Quote writes a text so that a shell reads it back as one word.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// OneOf reports whether a word is among others.
func OneOf(word string, words ...string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

func OrElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// AfterLast is what follows the last separator, or everything when there is none.
func AfterLast(s, sep string) string {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[i+len(sep):]
	}
	return s
}

func Btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
