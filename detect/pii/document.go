package pii

import (
	"strings"
	"unicode/utf8"
)

// passports() finds numbers of passports that follow a word such as "passport".
func (s *search) passports() { s.tokens(Passport, isPassport) }

// licenses() finds numbers of driving licences that follow words such as "driving licence".
func (s *search) licenses() { s.tokens(DriversLicense, isLicense) }

// tokens() finds runs of letters and digits after a word that names the category. It ignores a run if the function is()
// returns false for this run.
func (s *search) tokens(c Category, is func(string) bool) {
	if !s.cued.Has(c) {
		return
	}
	for i := 0; i < len(s.text); {
		start := i
		hasDigit := false
		for i < len(s.text) && (isLetter(s.text[i]) || isDigit(s.text[i])) {
			hasDigit = hasDigit || isDigit(s.text[i])
			i++
		}
		if hasDigit && is(s.text[start:i]) && s.hasCue(c, start, cueDistance) && s.isAlone(start, i) &&
			!s.isShielded(start, i) && !s.isMeasured(i) && !s.hasOtherKey(c, start) {
			s.add(c, start, i)
		}
		if i == start {
			i++
		}
	}
}

// isMeasured reports whether a unit follows a number.
func (s *search) isMeasured(end int) bool {
	const units = " ns us µs ms s sec seconds minutes hours days b kb mb gb kib mib gib bytes bits px hz rows km kg "
	if s.byteAt(end) != ' ' {
		return false
	}
	return isListed(units, strings.ToLower(s.text[end+1:s.wordEnd(end+1)]))
}

// hasOtherKey reports whether a key such as zip= is directly before a value. A cue before that key is then about
// another value.
func (s *search) hasOtherKey(c Category, start int) bool {
	const general = " number no nr num value "
	if s.byteAt(start-1) != '=' {
		return false
	}
	key := start - 1
	for isWord(s.before(key)) {
		_, size := utf8.DecodeLastRuneInString(s.text[:key])
		key -= size
	}
	return !isListed(general, strings.ToLower(s.text[key:start-1])) && !s.hasCue(c, start, start-key)
}

func isPassport(token string) bool {
	letters := 0
	for letters < len(token) && isLetter(token[letters]) {
		letters++
	}
	digits := len(token) - letters
	for i := letters; i < len(token); i++ {
		if !isDigit(token[i]) {
			return false
		}
	}
	return letters == 0 && digits == 9 || letters == 1 && digits == 8 || letters == 2 && (digits == 6 || digits == 7)
}

func isLicense(token string) bool {
	digits := 0
	for i := range len(token) {
		if isLower(token[i]) {
			return false
		}
		if isDigit(token[i]) {
			digits++
		}
	}
	return len(token) >= 5 && len(token) <= 20 && digits >= 4
}
