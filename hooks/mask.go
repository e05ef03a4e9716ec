package hooks

import "strings"

// masked hides what looks like a secret in a text that is kept: the value behind a word that names one, and tokens that
// are known by how they begin.
func masked(text string) string {
	if text == "" {
		return text
	}
	fields := strings.SplitAfter(text, " ")
	hide := false
	for i, field := range fields {
		word := strings.TrimRight(field, " ")
		space := field[len(word):]
		switch {
		case hide && word != "":
			fields[i] = "***" + space
			hide = false
		case isToken(word):
			fields[i] = "***" + space
		default:
			var shown string
			shown, hide = maskWord(word)
			fields[i] = shown + space
		}
	}
	return strings.Join(fields, "")
}

// maskWord hides the value in name=value and name:value, and the password in a URL; next is set when the value is the
// next word.
func maskWord(word string) (shown string, next bool) {
	if at := strings.IndexByte(word, '@'); at > 0 {
		if scheme := strings.Index(word, "://"); scheme >= 0 && scheme < at {
			if colon := strings.IndexByte(word[scheme+3:at], ':'); colon >= 0 {
				return word[:scheme+3+colon+1] + "***" + word[at:], false
			}
		}
	}
	lower := strings.ToLower(strings.Trim(word, `"'`))
	if lower == "bearer" || lower == "basic" {
		return word, true
	}
	end := strings.IndexAny(word, "=:")
	if end < 0 {
		return word, strings.HasPrefix(lower, "--") && namesSecret(lower)
	}
	if !namesSecret(strings.ToLower(word[:end])) || strings.HasPrefix(word[end:], "://") {
		return word, false
	}
	if end+1 == len(word) {
		return word, true
	}
	return word[:end+1] + "***", false
}

func namesSecret(name string) bool {
	for _, part := range [...]string{"password", "passwd", "secret", "token", "api_key", "apikey", "api-key", "authorization", "credential", "private_key"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func isToken(word string) bool {
	word = strings.Trim(word, `"'(),`)
	for _, start := range [...]string{"ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "ASIA", "eyJ", "npm_", "AIza"} {
		if rest, ok := strings.CutPrefix(word, start); ok && len(rest) >= 12 {
			return true
		}
	}
	return false
}
