package pii

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// cue is a word, such as "passport", that names a category of personal data. A cue without a category stands for a
// marker, which is the text that replaces masked data. A word before a marker is not a cue for the text after the
// marker.
type cue struct {
	start, end int
	names      Set
}

const (
	cueDistance      = 40
	longestCue       = len("führerscheinnummer")
	birthCueDistance = 30
)

// findCues finds the words that name categories. The words in names such as birth_date and passportNumber count too.
func (s *search) findCues() {
	var words [3]span // the last words, the newest at the end
	for i := 0; i < len(s.text); {
		switch {
		case s.text[i] == '[' && strings.HasPrefix(s.text[i:], markerStart):
			end := i + len(markerStart)
			for isUpper(s.byteAt(end)) || s.byteAt(end) == '-' {
				end++
			}
			s.cues, words, i = append(s.cues, cue{start: i, end: end}), [3]span{}, end
		case s.letterAt(i) > 0:
			end := s.wordEnd(i)
			if !isWord(s.before(i)) && !isWord(s.after(end)) {
				words = s.addCues(words, span{i, end})
			}
			i = end
		default:
			i++
		}
	}
}

// addCues finds the cues in a word or a name, and adds them to s.cues. It returns the last three words that it has
// read.
func (s *search) addCues(words [3]span, name span) [3]span {
	inName := s.partEnd(name.start, name.end) < name.end
	if inName && s.isNameOfOther(name) {
		return [3]span{}
	}
	for i := name.start; i < name.end; {
		end := s.partEnd(i, name.end)
		if s.text[i] != '_' {
			words = [3]span{words[1], words[2], {i, end}}
			s.addCue(words, inName)
		}
		i = end
	}
	return words
}

// addCue adds a cue to s.cues if the last of the words, alone or with the words before it, names a category.
func (s *search) addCue(words [3]span, inName bool) {
	last := words[2]
	var buffer [longestCue]byte
	word := lower(buffer[:0], s.text[last.start:last.end])
	names, start := wordCue(word), last.start
	if names == 0 && !inName {
		names = generalCue(word)
		if s.byteAt(last.end) == '#' && string(word) == "dl" {
			names = names.With(DriversLicense)
		}
	}
	if names == 0 {
		names, start = s.phraseCue(words, word)
	}
	if names != 0 {
		s.cues = append(s.cues, cue{start, last.end, names})
		s.cued |= names
	}
}

// lower() appends a word in lower case to a buffer, or nothing if the buffer is too small.
func lower(buffer []byte, word string) []byte {
	if len(word) > cap(buffer) {
		return buffer
	}
	buffer = append(buffer, word...)
	for i, c := range buffer {
		if isUpper(c) {
			buffer[i] = c + 'a' - 'A'
		}
	}
	return buffer
}

// wordCue returns the categories that a word names. The languages are English, German, French, Spanish, Italian,
// Portuguese, Dutch, Polish, Czech, Swedish, Danish, Norwegian and Turkish.
func wordCue(word []byte) Set {
	switch string(word) {
	case "ssn", "ssns":
		return Set(0).With(SSN)
	case "card", "cards":
		return Set(0).With(CreditCard)
	case "phone", "phones", "mobile", "telefon", "téléphone", "teléfono", "telefono", "telefone":
		return Set(0).With(Phone)
	case "born", "dob", "bday", "birthday", "birthdays", "birthdate", "geboren", "geb", "geburtsdatum",
		"geburtstag", "né", "née", "naissance", "nacido", "nacida", "nacimiento", "nascita", "nascido",
		"nascida", "nascimento", "geboortedatum", "urodzony", "urodzona", "urodzenia", "narozen", "narozena",
		"narození", "född", "födelsedatum", "født", "fødselsdato", "doğum":
		return Set(0).With(BirthDate)
	case "passport", "passports", "reisepass", "reisepassnummer", "passeport", "pasaporte", "passaporto",
		"passaporte", "paspoort", "paspoortnummer", "paszport", "paszportu", "pasaport":
		return Set(0).With(Passport)
	case "führerschein", "führerscheinnummer", "rijbewijs", "rijbewijsnummer", "körkort", "førerkort":
		return Set(0).With(DriversLicense)
	case "address":
		return Set(0).With(Address)
	}
	return 0
}

// generalCue returns the categories that a word names if it is not a part of a longer name. In a name such as
// call_depth, the word often means something else.
func generalCue(word []byte) Set {
	switch string(word) {
	case "visa", "mastercard", "amex", "credit", "debit", "pan", "cc":
		return Set(0).With(CreditCard)
	case "telephone", "tel", "call", "cell", "fax", "sms", "whatsapp":
		return Set(0).With(Phone)
	}
	return 0
}

// phraseCue returns the category that the last words name together, and the start of the first of these words.
func (s *search) phraseCue(words [3]span, word []byte) (Set, int) {
	switch string(word) {
	case "security":
		return s.phrase(words, SSN, " social ")
	case "birth":
		return s.phrase(words, BirthDate, " of ", " date ")
	case "date":
		return s.phrase(words, BirthDate, " birth ")
	case "b":
		return s.phrase(words, BirthDate, " o ", " d ")
	case "il":
		return s.phrase(words, BirthDate, " nato nata ")
	case "license", "licence", "licenses", "licences":
		return s.phrase(words, DriversLicense, " driver's driver drivers driving ")
	case "number", "no":
		return s.phrase(words, DriversLicense, " dl ")
	case "conduire":
		return s.phrase(words, DriversLicense, " de ", " permis ")
	case "conducir":
		return s.phrase(words, DriversLicense, " de ", " carnet permiso licencia ")
	case "guida":
		return s.phrase(words, DriversLicense, " di ", " patente ")
	case "condução":
		return s.phrase(words, DriversLicense, " de ", " carta ")
	case "jazdy":
		return s.phrase(words, DriversLicense, " prawo prawa ")
	case "at":
		return s.phrase(words, Address, " live lives ")
	case "to":
		return s.phrase(words, Address, " ship mail ")
	}
	return 0, 0
}

// phrase() checks the words before the last of the given words. The parameter "before" has one list for each word
// to check: the second-last word must be in before[0], and the third-last word must be in before[1]. If the words
// match, phrase() returns the category and the start of the first word. Otherwise it returns no category.
func (s *search) phrase(words [3]span, c Category, before ...string) (Set, int) {
	for i, choices := range before {
		w, next := words[1-i], words[2-i]
		var buffer [longestCue]byte
		if w.end == 0 || next.start-w.end > 2 ||
			!isListed(choices, string(lower(buffer[:0], s.text[w.start:w.end]))) {
			return 0, 0
		}
	}
	return Set(0).With(c), words[2-len(before)].start
}

// hasCue reports whether a cue, which is a word that names the category, comes before the given index ("start"). The
// word must begin at most the given number of characters before this index.
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
