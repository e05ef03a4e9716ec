package detect

import (
	"strings"
	"unicode/utf8"
)

// command() reports whether an action is "fix" or "refactor". In a request to fix or refactor something, other action
// words often only describe that thing, such as "test" in "fix the failing test" and "code" in "refactor the code".
func command(action string) bool { return action == "fix" || action == "refactor" }

// isNoun reports whether the word at an offset is used as a noun, as in "the code" and "a fix". It checks only "code",
// "codes", and words that name the actions "fix" and "refactor".
func isNoun(prompt string, start, end int, action string) bool {
	word := strings.ToLower(prompt[start:end])
	if !command(action) && word != "code" && word != "codes" {
		return false
	}
	before, at := wordBefore(prompt, start)
	if isDefinite(before) || command(action) && (before == "a" || before == "an") {
		return true
	}
	if before == "" || leads(before) || command(action) {
		return false
	}
	before, _ = wordBefore(prompt, at)
	return isDefinite(before)
}

func isDefinite(word string) bool {
	switch word {
	case "the", "this", "that", "these", "those", "my", "your", "our", "its", "their":
		return true
	}
	return false
}

// startsClause reports whether the word at an offset is the first word of a clause. Requests usually begin there.
func startsClause(prompt string, start int) bool {
	before, _ := wordBefore(prompt, start)
	return before == "" || leads(before)
}

func leads(word string) bool {
	switch word {
	case "and", "then", "to", "please", "now", "also", "just", "or", "but":
		return true
	}
	return false
}

// farthest is the maximum number of bytes that wordBefore() examines.
const farthest = 16

// wordBefore returns the word that comes before an offset, in lower case, and the offset of this word. The word is ""
// if the given offset is at the beginning of a clause.
func wordBefore(prompt string, start int) (word string, at int) {
	first := max(0, start-farthest)
	text := prompt[first:start]
	trimmed := strings.TrimRight(text, " \t\r\n")
	if len(trimmed) == len(text) && len(text) > 0 && strings.IndexByte(`-/_\.`, text[len(text)-1]) >= 0 {
		return text[len(text)-1:], start - 1 // a part of a longer name
	}
	from := len(trimmed)
	for from > 0 && (isPlain(trimmed[from-1]) || trimmed[from-1] >= utf8.RuneSelf) {
		from--
	}
	return strings.ToLower(trimmed[from:]), first + from
}
