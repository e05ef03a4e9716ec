package words

import "strings"

// keyBeginnings lists how the keys of well-known services begin.
const keyBeginnings = "sk_live_ rk_live_ ghp_ gho_ ghs_ github_pat_ glpat- xoxb- xoxp- AKIA sk-ant- npm_ hf_"

// minKey is the minimum number of characters after the beginning of a key.
const minKey = 16

// HoldsKey reports whether a text contains a key of a well-known service.
func HoldsKey(text string) bool {
	for _, beginning := range strings.Split(keyBeginnings, " ") {
		_, rest, found := strings.Cut(text, beginning)
		for ; found; _, rest, found = strings.Cut(rest, beginning) {
			if isKey(rest, strings.HasSuffix(beginning, "-")) {
				return true
			}
		}
	}
	return false
}

// isKey reports whether a text looks like the rest of a key. The rest must have at least minKey characters, among them
// a digit or a capital letter. The parameter "hyphens" says whether the key can have hyphens.
func isKey(rest string, hyphens bool) bool {
	length, mixed := 0, false
	for ; length < len(rest); length++ {
		c := rest[length]
		isOther := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z'
		if !isOther && !isLetter(c) && c != '_' && (c != '-' || !hyphens) {
			break
		}
		mixed = mixed || isOther
	}
	return length >= minKey && mixed
}
