package words

import "strings"

// keyBeginnings lists how the keys of well-known services begin.
const keyBeginnings = "sk_live_ rk_live_ ghp_ gho_ ghs_ github_pat_ glpat- xoxb- xoxp- AKIA sk-ant- npm_ hf_"

// minKey is the minimum number of characters after the beginning of a key.
const minKey = 16

// HoldsKey reports whether a text contains a key of a well-known service.
func HoldsKey(text string) bool {
	for beginning := range strings.SplitSeq(keyBeginnings, " ") {
		_, rest, found := strings.Cut(text, beginning)
		length := 0
		for length < len(rest) && (isLetter(rest[length]) || rest[length] >= '0' && rest[length] <= '9' || rest[length] == '_') {
			length++
		}
		if found && length >= minKey {
			return true
		}
	}
	return false
}
