package hooks

import "strings"

// Mask replaces everything in a text that looks like a secret. Hooks call it for everything that they record.
func Mask(text string) string { return masked(text) }

// masked replaces two kinds of secrets: the value after a word that names a secret, and a token with a well-known
// prefix.
func masked(text string) string {
	var out strings.Builder
	// The text before the index from has already been added to out.
	from := 0
	hide := false
	for at := 0; at < len(text); {
		end := 0
		for at+end < len(text) && !isSpace(text[at+end]) {
			end++
		}
		word := text[at : at+end]
		shown := word
		switch {
		case word == "":
			// The word is empty if there is more than one space.
		case isScheme(word):
			hide = true
		case hide || isToken(word):
			shown, hide = "***", false
		default:
			shown, hide = maskWord(word)
		}
		if shown != word {
			out.WriteString(text[from:at])
			out.WriteString(shown)
			from = at + end
		}
		at += end + 1
	}
	if from == 0 {
		return text
	}
	out.WriteString(text[from:])
	return out.String()
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// isScheme reports whether a word is the scheme in an Authorization header, such as Bearer. The next word is then the
// secret.
func isScheme(word string) bool {
	word = unquoted(word)
	return strings.EqualFold(word, "bearer") || strings.EqualFold(word, "basic")
}

func unquoted(word string) string {
	for word != "" && isQuote(word[0]) {
		word = word[1:]
	}
	for word != "" && isQuote(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	return word
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// maskWord replaces the value in name=value and name:value, and the password in a URL. The result next is true if the
// value is the next word.
func maskWord(word string) (shown string, next bool) {
	if at := strings.IndexByte(word, '@'); at > 0 {
		if scheme := strings.Index(word, "://"); scheme >= 0 && scheme < at {
			if colon := strings.IndexByte(word[scheme+3:at], ':'); colon >= 0 {
				return word[:scheme+3+colon+1] + "***" + word[at:], false
			}
		}
	}
	end := separator(word)
	if end < 0 {
		option := unquoted(word)
		return word, strings.HasPrefix(option, "--") && namesSecret(option)
	}
	if !namesSecret(word[:end]) || strings.HasPrefix(word[end:], "://") {
		return word, false
	}
	if end+1 == len(word) {
		return word, true
	}
	return word[:end+1] + "***", false
}

func separator(word string) int {
	for i := range len(word) {
		if word[i] == '=' || word[i] == ':' {
			return i
		}
	}
	return -1
}

func namesSecret(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{
		"password", "passwd", "secret", "token", "api_key", "apikey", "api-key", "authorization", "credential", "private_key",
	} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// secretSize is how many characters a token must have after its prefix.
const secretSize = 12

func isToken(word string) bool {
	if len(word) <= secretSize {
		return false
	}
	word = strings.Trim(word, `"'(),`)
	for _, start := range [...]string{
		"ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "ASIA", "eyJ", "npm_", "AIza",
	} {
		if len(word) >= len(start)+secretSize && strings.HasPrefix(word, start) {
			return true
		}
	}
	return false
}
