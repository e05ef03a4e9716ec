package toolcall

import "strings"

// among is the word itself if it is one of a list, and otherwise something that is not the word: so a case of a switch can
// be a list of words with blanks between them. As so many constants they would be forty bytes of code each, in programs
// that are loaded for every tool call.
func among(word, list string) string {
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
