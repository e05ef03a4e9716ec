package document

import (
	"strings"
	"unicode"
)

// OneLine converts an untrusted text to one line of at most 300 visible characters, for use in a message.
func OneLine(text string) string {
	const limit = 300
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = Printable(strings.Join(strings.Fields(text), " "))
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
