package pii

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// letterAt returns the number of bytes of the letter at index i. It returns 0 if there is no letter.
func (s *search) letterAt(i int) int {
	c := s.byteAt(i)
	if c < utf8.RuneSelf {
		if isLetter(c) {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(s.text[i:]); unicode.IsLetter(r) {
		return size
	}
	return 0
}

// wordEnd returns the end of the run of letters, underscores and apostrophes that begins at index i.
func (s *search) wordEnd(i int) int {
	for {
		size := s.letterAt(i)
		if s.byteAt(i) == '_' || s.byteAt(i) == '\'' && s.letterAt(i+1) > 0 {
			size = 1
		}
		if size == 0 {
			return i
		}
		i += size
	}
}

// partEnd returns the end of the part of a name that begins at index i. A part is an underscore or a word. In
// passportNumber, a new word begins at the capital letter.
func (s *search) partEnd(i, end int) int {
	at := i + 1
	if s.text[i] == '_' {
		return at
	}
	for at < end && isUpper(s.text[at-1]) && isUpper(s.text[at]) {
		at++
	}
	if isAbbreviation := at-i > 1; isAbbreviation && at < end && isSmall(s.text[at]) && !s.isPlural(at) {
		return at - 1
	}
	for at < end && isSmall(s.text[at]) {
		at++
	}
	return at
}

// isPlural reports whether an s at the given index ends the word, as in SSNs.
func (s *search) isPlural(at int) bool { return s.text[at] == 's' && s.letterAt(at+1) == 0 }

func isSmall(c byte) bool { return !isUpper(c) && c != '_' }

// isNameOfOther reports whether the last word of a name says that the value is something else: an id, a time or a
// number of things.
func (s *search) isNameOfOther(name span) bool {
	const others = " id ids uuid hash token key at ts timestamp time age ttl ms ns count size bytes length index offset " +
		"seed nonce version port max min total "
	last := name.start
	for i := name.start; i < name.end; i = s.partEnd(i, name.end) {
		if s.text[i] != '_' {
			last = i
		}
	}
	var buffer [longestCue]byte
	return isListed(others, string(lower(buffer[:0], strings.TrimRight(s.text[last:name.end], "_"))))
}
