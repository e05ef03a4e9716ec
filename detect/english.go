package detect

import (
	"unicode"
	"unicode/utf8"
)

// sampleSize is the maximum number of bytes of a prompt that isEnglish() reads.
const sampleSize = 1 << 10

// isEnglish reports whether a prompt may be in English. Other languages use some of the same words, such as plan, code
// and test, often with another meaning.
func isEnglish(prompt string) bool {
	if len(prompt) > sampleSize {
		prompt = prompt[:sampleSize]
	}
	english, other, latin, foreign, accents := 0, 0, 0, 0, 0
	for i := 0; i < len(prompt); {
		start := i
		for i < len(prompt) {
			if c := prompt[i] | 0x20; 'a' <= c && c <= 'z' {
				latin++
				i++
				continue
			}
			r, size := utf8.DecodeRuneInString(prompt[i:])
			if !unicode.IsLetter(r) && (i == start || !unicode.IsMark(r)) {
				break
			}
			switch {
			case unicode.Is(unicode.Latin, r):
				latin++
				accents++
			case unicode.IsLetter(r):
				foreign++
			}
			i += size
		}
		switch languageOf(prompt[start:i]) {
		case inEnglish:
			english++
		case inOther:
			other++
		}
		if i == start {
			_, size := utf8.DecodeRuneInString(prompt[i:])
			i += size
		}
	}
	switch {
	case english == 0:
		return foreign == 0 && accents == 0 && other == 0
	case foreign > latin/2:
		return false
	}
	return other <= english
}

type language uint8

const (
	unknown language = iota
	inEnglish
	inOther
)

// longestSmallWord is at least the length in bytes of the longest word in the lists below.
const longestSmallWord = 8

// languageOf returns the language that a short, frequent word belongs to. Words that English shares with another
// language, such as "a", "in" and "die", are in no list.
func languageOf(word string) language {
	if len(word) == 0 || len(word) > longestSmallWord {
		return unknown
	}
	var lower [longestSmallWord]byte
	n := copy(lower[:], word)
	for i := range n {
		if 'A' <= lower[i] && lower[i] <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	switch string(lower[:n]) {
	case "the", "and", "of", "to", "is", "are", "it", "for", "with", "this", "that", "what", "how", "please", "not", "we",
		"you", "my", "your", "should", "then", "from", "by", "all", "be", "have", "has", "does", "them":
		return inEnglish
	case "der", "das", "den", "dem", "ein", "eine", "einen", "einem", "und", "ist", "nicht", "mit", "auf", "ich", "wir",
		"bitte", "auch", "noch", "wie", "zu", "von", "sie", // German
		"le", "la", "les", "une", "et", "est", "pas", "avec", "dans", "je", "tu", "vous", "nous", "au", "aux", "du", "ce",
		"cette", "que", "qui", "quel", "sur", "pour", "des", // French
		"el", "los", "las", "un", "una", "y", "es", "con", "para", "por", "de", "del", "lo", "se", "en", "haz", // Spanish
		"o", "os", "um", "uma", "e", "da", "na", "em", "com", "dos": // Portuguese
		return inOther
	}
	return unknown
}
