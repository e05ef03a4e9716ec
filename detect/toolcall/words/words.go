// Package words has functions for texts. All packages of the analysis use these functions.
package words

import "strings"

// Among is a function that returns the word if the word is in the list, and otherwise a different text. Spaces separate
// the words of the list. With Among, one case of a switch can match a whole list. If each word were a separate
// constant, each word would add forty bytes to the hook programs, which start for every tool call.
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

// Quote puts a text in quotes so that a shell reads it as one word.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// OneOf reports whether a word is in the list, whose words are separated by spaces.
func OneOf(word, list string) bool { return Among(word, list) == word }

// HasPart reports whether a text contains one of the parts, which the character | separates.
func HasPart(text, parts string) bool {
	for more := true; more; {
		var part string
		part, parts, more = strings.Cut(parts, "|")
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// OrElse returns s. If s is empty, it returns other.
func OrElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// AfterLast returns the text after the last separator. If there is no separator, it returns the whole text.
func AfterLast(s, sep string) string {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[i+len(sep):]
	}
	return s
}

// UsesTestKey reports whether a text contains only test keys of Stripe: the keys themselves, or variables for such
// keys. With a test key, Stripe moves no money. If the text also contains another key, the function returns false.
func UsesTestKey(text string) bool {
	tests := false
	for _, word := range strings.FieldsFunc(text, isNoLetter) {
		key := strings.TrimLeft(word, "sr") // sk_test_… or rk_test_…
		isTest := strings.HasPrefix(key, "k_test_") || strings.Contains(word, "STRIPE") && strings.Contains(word, "TEST")
		if !isTest && (strings.HasPrefix(key, "k_live_") || strings.Contains(word, "KEY")) {
			return false
		}
		tests = tests || isTest
	}
	return tests
}

// isNoLetter reports whether a character ends a name.
func isNoLetter(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
}

// Btoi returns 1 for true and 0 for false.
func Btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
