package pii

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// cue is a word that names a category. A marker is a cue without a category: words before the marker no longer count
// as cues.
type cue struct {
	start, end int
	names      Set
}

const (
	cueDistance      = 40
	birthCueDistance = 30
)

// findCues finds the words that name categories.
func (s *search) findCues() {
	var words [3]span // the last words, the newest at the end
	for i := 0; i < len(s.text); {
		c := s.text[i]
		switch {
		case c == '[' && strings.HasPrefix(s.text[i:], markerStart):
			end := i + len(markerStart)
			for isUpper(s.at(end)) || s.at(end) == '-' {
				end++
			}
			s.cues, words, i = append(s.cues, cue{start: i, end: end}), [3]span{}, end
		case isLetter(c):
			end := s.wordEnd(i)
			if !isWord(s.before(i)) && !isWord(s.after(end)) {
				words = [3]span{words[1], words[2], {i, end}}
				s.addCue(words)
			}
			i = end
		default:
			i++
		}
	}
}

// wordEnd returns the end of the letters and apostrophes that begin at index i.
func (s *search) wordEnd(i int) int {
	for i < len(s.text) && (isLetter(s.text[i]) || s.text[i] == '\'' && isLetter(s.at(i+1))) {
		i++
	}
	return i
}

func (s *search) addCue(words [3]span) {
	last := words[2]
	const longest = 16
	if last.end-last.start > longest {
		return
	}
	var buffer [longest]byte
	word := buffer[:copy(buffer[:], s.text[last.start:last.end])]
	for i, c := range word {
		if isUpper(c) {
			word[i] = c + 'a' - 'A'
		}
	}
	start := last.start
	var names Set
	switch string(word) {
	case "ssn":
		names = names.With(SSN)
	case "security":
		names, start = s.phrase(words, SSN, " social ")
	case "card", "visa", "mastercard", "amex", "credit", "debit", "pan", "cc":
		names = names.With(CreditCard)
	case "phone", "telephone", "tel", "call", "mobile", "cell", "fax", "sms", "whatsapp":
		names = names.With(Phone)
	case "born", "dob", "birthday", "birthdate":
		names = names.With(BirthDate)
	case "birth":
		names, start = s.phrase(words, BirthDate, " of ", " date ")
	case "passport":
		names = names.With(Passport)
	case "license", "licence", "licenses", "licences":
		names, start = s.phrase(words, DriversLicense, " driver's driver drivers driving ")
	case "address":
		names = names.With(Address)
	case "at":
		names, start = s.phrase(words, Address, " live lives ")
	case "to":
		names, start = s.phrase(words, Address, " ship mail ")
	}
	if names != 0 {
		s.cues = append(s.cues, cue{start, last.end, names})
		s.cued |= names
	}
}

// phrase reports whether certain words come before the last word of words. The first argument of before lists the
// choices for the word directly before the last one, and the second lists the choices for the word before that.
// phrase returns the category and the start of the first of these words, or no category.
func (s *search) phrase(words [3]span, c Category, before ...string) (Set, int) {
	for i, choices := range before {
		w, next := words[1-i], words[2-i]
		if w.end == 0 || next.start-w.end > 2 ||
			!isListed(choices, strings.ToLower(s.text[w.start:w.end])) {
			return 0, 0
		}
	}
	return Set(0).With(c), words[2-len(before)].start
}

// hasCue reports whether a word that names the category comes before the index start. The word must begin at most the
// given number of characters before start.
func (s *search) hasCue(c Category, start, within int) bool {
	if !s.cued.Has(c) {
		return false
	}
	i, _ := slices.BinarySearchFunc(s.cues, start, func(a cue, start int) int {
		if a.end <= start {
			return -1
		}
		return 1
	})
	for i--; i >= 0; i-- {
		cue := s.cues[i]
		if cue.names == 0 || start-cue.start > utf8.UTFMax*within {
			return false
		}
		if cue.names.Has(c) && utf8.RuneCountInString(s.text[cue.start:start]) <= within {
			return true
		}
	}
	return false
}
