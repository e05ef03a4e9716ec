package pii

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The type "search" is the state of one call of Find.
type search struct {
	text  string
	set   Set
	found []Finding
	// taken[i] is set if no further finding may contain byte i. The field "taken" is nil until the first element is set.
	taken []bool
	// The field "shields" has the ids, hashes, URLs and times that findShields has found in the text. They are sorted and
	// do not overlap.
	shields []span
	// The field "cues" has the words that name a category, in the order of the text.
	cues             []cue
	cued             Set
	hasDigits, hasAt bool
}

type span struct{ start, end int }

func (s *search) prepare() {
	s.hasDigits = strings.ContainsAny(s.text, "0123456789")
	s.hasAt = strings.IndexByte(s.text, '@') >= 0
	if s.hasDigits || s.hasAt {
		s.findShields()
		s.findCues()
	}
}

// add() adds a finding to the result of Find, unless it overlaps with another finding.
func (s *search) add(c Category, start, end int) bool {
	if !s.take(start, end) {
		return false
	}
	s.found = append(s.found, Finding{c, start, end})
	return true
}

// take() marks text[start:end] as taken, so that no further finding can overlap with it. It returns false if a part of
// this text is already taken.
func (s *search) take(start, end int) bool {
	if s.taken == nil {
		s.taken = make([]bool, len(s.text))
	}
	if slices.Contains(s.taken[start:end], true) {
		return false
	}
	for i := start; i < end; i++ {
		s.taken[i] = true
	}
	return true
}

// isShielded reports whether text[start:end] overlaps with a shield, which is an id, a hash, a URL or a time.
func (s *search) isShielded(start, end int) bool {
	i, _ := slices.BinarySearchFunc(s.shields, start, func(a span, start int) int {
		if a.end <= start {
			return -1
		}
		return 1
	})
	return i < len(s.shields) && s.shields[i].start < end
}

// numbers() calls check() for each run of digits.
func (s *search) numbers(check func(start, end int)) {
	for i := 0; i < len(s.text); i++ {
		if !isDigit(s.text[i]) {
			continue
		}
		start := i
		for i < len(s.text) && isDigit(s.text[i]) {
			i++
		}
		check(start, i)
	}
}

// digitsAt returns the end of the run of digits at index i. It returns i if there is none.
func (s *search) digitsAt(i int) int {
	for i < len(s.text) && isDigit(s.text[i]) {
		i++
	}
	return i
}

// byteAt returns the byte at index i, or 0 if i is outside the text.
func (s *search) byteAt(i int) byte {
	if i < 0 || i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

// touchesWord reports whether a letter, a digit, an underscore or a marker is directly before or after
// text[start:end].
func (s *search) touchesWord(start, end int) bool {
	return isWord(s.before(start)) || isWord(s.after(end)) || s.endsMarker(start) ||
		strings.HasPrefix(s.text[end:], markerStart)
}

// isAlone reports whether a number is not part of a longer number, a version, a path or another name.
func (s *search) isAlone(start, end int) bool {
	if s.touchesWord(start, end) {
		return false
	}
	switch s.byteAt(start - 1) {
	case '.', '-', '/', '#':
		if isLetterOrDigit(s.before(start-1)) || s.endsMarker(start-1) {
			return false
		}
	}
	switch s.byteAt(end) {
	case '-', '/':
		return !isLetterOrDigit(s.after(end+1)) && !strings.HasPrefix(s.text[end+1:], markerStart)
	case '.':
		return !isDigit(s.byteAt(end+1)) && !s.isFileEnding(end+1)
	}
	return true
}

// isFileEnding reports whether the ending of a file's name begins at an index.
func (s *search) isFileEnding(at int) bool {
	end := at
	for isLower(s.byteAt(end)) || isDigit(s.byteAt(end)) {
		end++
	}
	return !isWord(s.after(end)) && isListed(fileEndings, s.text[at:end])
}

const markerStart = "[REDACTED-"

// endsMarker reports whether a marker ends at the given index.
func (s *search) endsMarker(at int) bool {
	if s.byteAt(at-1) != ']' {
		return false
	}
	const longest = len("[REDACTED-DRIVERS-LICENSE]")
	return strings.Contains(s.text[max(0, at-longest):at], markerStart)
}

func (s *search) before(at int) rune {
	r, _ := utf8.DecodeLastRuneInString(s.text[:max(0, at)])
	return r
}

func (s *search) after(at int) rune {
	r, _ := utf8.DecodeRuneInString(s.text[min(at, len(s.text)):])
	return r
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isLetter(c byte) bool { return isUpper(c) || isLower(c) }

func isLetterOrDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(byte(r)) || isDigit(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func isWord(r rune) bool { return r == '_' || isLetterOrDigit(r) }
