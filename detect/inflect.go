package detect

import "strings"

// inflect() returns a lower-case word and its regular English forms: orders, ordered, ordering; shipped, shipping;
// invoiced, invoicing; queries. It returns no misspelt form, because a misspelt form is often another word. For "cod",
// it returns "codding", but not "coding", which is a form of "code".
func inflect(word string) []string {
	forms := []string{word}
	if !isLetter(word[len(word)-1]) {
		return forms
	}
	forms = append(forms, plurals(word)...)
	return append(forms, pastAndGerund(word)...)
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

// plurals() returns the plural of a noun. The third person of a verb has the same spelling.
func plurals(word string) []string {
	switch {
	case endsConsonantY(word):
		return []string{word[:len(word)-1] + "ies"}
	case hasAnySuffix(word, "s", "x", "z", "ch", "sh"):
		return []string{word + "es"}
	case strings.HasSuffix(word, "o"):
		return []string{word + "s", word + "es"}
	}
	return []string{word + "s"}
}

func pastAndGerund(word string) []string {
	stem := word[:len(word)-1]
	switch {
	case endsConsonantY(word):
		return []string{stem + "ied", word + "ing"}
	case hasAnySuffix(word, "ee", "oe", "ye"):
		return []string{word + "d", word + "ing"}
	case strings.HasSuffix(word, "e"):
		return []string{word + "d", stem + "ing"}
	case !mayDouble(word):
		return []string{word + "ed", word + "ing"}
	}
	doubled := word + word[len(word)-1:]
	forms := []string{doubled + "ed", doubled + "ing"}
	if syllables(word) > 1 {
		// Only the stress of the word decides whether the last consonant doubles, as in "referred" but not in "ordered". The
		// stress is not known, so both forms are added.
		forms = append(forms, word+"ed", word+"ing")
	}
	return forms
}

// mayDouble reports whether the last consonant of a word may be doubled: a single vowel must come before this
// consonant.
func mayDouble(word string) bool {
	n := len(word)
	if n < 3 || isVowel(word[n-1]) || strings.IndexByte("wxy", word[n-1]) >= 0 {
		return false
	}
	return isVowel(word[n-2]) && isLetter(word[n-3]) && !isVowel(word[n-3])
}

func endsConsonantY(word string) bool {
	n := len(word)
	return n > 1 && word[n-1] == 'y' && isLetter(word[n-2]) && !isVowel(word[n-2])
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// syllables() returns the number of groups of vowels, which is close to the number of syllables.
func syllables(word string) int {
	count := 0
	for i := range len(word) {
		if isVowel(word[i]) && (i == 0 || !isVowel(word[i-1])) {
			count++
		}
	}
	return count
}

func hasAnySuffix(word string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(word, s) {
			return true
		}
	}
	return false
}
