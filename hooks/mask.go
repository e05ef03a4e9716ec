package hooks

import "strings"

// Mask returns a text in which *** replaces everything that looks like a secret. Hooks call it for everything that they
// record.
func Mask(text string) string { return masked(text) }

// masked() replaces three kinds of secrets with ***: the value after a word that announces a secret, the password in a
// URL, and a token with a well-known prefix.
func masked(text string) string {
	var out strings.Builder
	// The part of the text before this index has already been added to the variable "out".
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
			// If there is more than one space between two words, the variable "word" is empty.
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

// isScheme reports whether a word is the scheme in an Authorization header, such as Bearer. If it is, the next word is
// the secret.
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

// maskWord replaces the value in name=value or name:value if the name announces a secret, even within a URL. It also
// replaces the password or the token before the host of a URL. The result "next" is true if the secret is the next
// word.
func maskWord(word string) (shown string, next bool) {
	word = maskUser(word)
	name, found := 0, false
	for i := range len(word) {
		switch word[i] {
		case '?':
			name = i + 1
		case '=', ':':
			found = true
			if !namesSecret(word[name:i]) || strings.HasPrefix(word[i:], "://") {
				name = i + 1
				continue
			}
			if i+1 == len(word) {
				return word, true
			}
			return word[:i+1] + "***", false
		}
	}
	return word, !found && isSecretName(unquoted(word))
}

// isSecretName reports whether a word, such as --token or aws_secret_access_key, announces that the next word is a
// secret.
func isSecretName(word string) bool {
	return (strings.IndexByte(word, '_') > 0 || strings.HasPrefix(word, "--")) && namesSecret(word)
}

// maskUser replaces the password in a URL. If the URL has no password but a long user name, which may be a token, it
// replaces the user name.
func maskUser(word string) string {
	start, at := strings.Index(word, "://"), strings.IndexByte(word, '@')
	if start < 0 || at < start || strings.IndexByte(word[start+3:at], '/') >= 0 {
		return word
	}
	start += 3
	if colon := strings.IndexByte(word[start:at], ':'); colon >= 0 {
		start += colon + 1
	} else if at-start <= secretSize {
		return word
	}
	return word[:start] + "***" + word[at:]
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

// secretSize is the smallest number of characters that a token must have after its prefix.
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
