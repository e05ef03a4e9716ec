package pii

import (
	"slices"
	"strings"
)

// findShields finds the parts of a text that are ids, hashes, URLs or times. In these parts, Find looks only for
// IBANs and for the e-mail address after mailto:.
func (s *search) findShields() {
	for i := 0; i < len(s.text); {
		c := s.text[i]
		switch {
		case c == ':' && strings.HasPrefix(s.text[i:], "://") && isLetterOrDigit(s.before(i)):
			start := i
			for start > 0 && isSchemeChar(s.text[start-1]) {
				start--
			}
			i = s.urlEnd(i)
			s.shields = append(s.shields, span{start, i})
		case isTokenChar(c):
			i = s.shieldToken(i)
		default:
			i++
		}
	}
	s.mergeShields()
}

func (s *search) mergeShields() {
	slices.SortFunc(s.shields, func(a, b span) int { return a.start - b.start })
	merged := s.shields[:0]
	for _, next := range s.shields {
		if n := len(merged); n > 0 && next.start < merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, next.end)
			continue
		}
		merged = append(merged, next)
	}
	s.shields = merged
}

func isSchemeChar(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.' }

// urlEnd returns the end of the URL that contains index i.
func (s *search) urlEnd(i int) int {
	for i < len(s.text) && s.text[i] > ' ' && strings.IndexByte("\"<>`'|\\^{}", s.text[i]) < 0 {
		i++
	}
	return i
}

// isTokenChar reports whether a character can be part of an encoded token.
func isTokenChar(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '+' || c == '/' || c == '_' || c == '=' || c == '-'
}

// shieldToken adds shields for the run of token characters that begins at the index "start", or for words in this run.
// It returns the end of the run. A token may end with the sign =. Before the end, this sign separates a key from a
// value.
func (s *search) shieldToken(start int) int {
	const long = 24
	var lower, upper, digit bool
	end := start
	for end < len(s.text) && isTokenChar(s.text[end]) {
		c := s.text[end]
		lower, upper, digit = lower || isLower(c), upper || isUpper(c), digit || isDigit(c)
		end++
		if c == '=' && s.byteAt(end) != '=' {
			break
		}
	}
	switch {
	case !digit:
		return end
	case end-start >= long && lower && upper:
		s.shields = append(s.shields, span{start, end})
		return end
	}
	for i := start; i < end; {
		if !isWord(rune(s.text[i])) {
			i++
			continue
		}
		i = s.shieldWord(i)
	}
	return end
}

// shieldWord adds a shield for an id, a hash or a time that begins at the index "start". It returns the end of the
// shield. If it adds no shield, it returns the end of the word.
func (s *search) shieldWord(start int) int {
	end := start
	var digits, lower, upper, others int
	for ; end < len(s.text) && isWord(rune(s.text[end])) && s.text[end] < 0x80; end++ {
		switch c := s.text[end]; {
		case isDigit(c):
			digits++
		case 'a' <= c && c <= 'f':
			lower++
		case 'A' <= c && c <= 'F':
			upper++
		default:
			others++
		}
	}
	n := end - start
	const shortLower, shortUpper = 7, 16
	switch {
	case n == 8 && others == 0 && s.uuidAt(start):
		end = start + len("123e4567-e89b-12d3-a456-426614174000")
	case n == 4 && digits == 4 && s.timeAt(start) > 0:
		end = s.timeAt(start)
	case others == 0 && upper == 0 && lower > 0 && digits > 0 && n >= shortLower:
	case others == 0 && lower == 0 && upper > 0 && digits > 0 && n >= shortUpper:
	case digits == n && (n == 32 || n == 40 || n == 64):
	case others == 1 && n > 2 && s.text[start] == '0' && s.text[start+1] == 'x':
	default:
		return end
	}
	s.shields = append(s.shields, span{start, end})
	return end
}

// uuidAt reports whether a UUID begins at index i.
func (s *search) uuidAt(i int) bool {
	for k, n := range [...]int{8, 4, 4, 4, 12} {
		if k > 0 {
			if s.byteAt(i) != '-' {
				return false
			}
			i++
		}
		for range n {
			if c := s.byteAt(i); !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
				return false
			}
			i++
		}
	}
	return !isWord(s.after(i))
}

// timeAt returns the end of a date with a time that begins at index i. It returns 0 if there is none.
func (s *search) timeAt(i int) int {
	end := s.shape(i, "0000-00-00?00:00")
	if end == 0 || strings.IndexByte("Tt ", s.text[end-len("?00:00")]) < 0 {
		return 0
	}
	if next := s.shape(end, ":00"); next > 0 {
		end = next
		if c := s.byteAt(end); (c == '.' || c == ',') && isDigit(s.byteAt(end+1)) {
			end = s.digitsAt(end + 1)
		}
	}
	switch s.byteAt(end) {
	case 'Z', 'z':
		return end + 1
	case '+', '-':
		return max(end, s.shape(end+1, "00:00"), s.shape(end+1, "0000"))
	}
	return end
}

// shape() returns the end of a text of the given form that begins at index i. It returns 0 if there is none. In the
// form, 0 stands for a digit and ? stands for any character.
func (s *search) shape(i int, form string) int {
	for k := range len(form) {
		c := s.byteAt(i + k)
		if form[k] == '0' && !isDigit(c) || form[k] == '?' && c == 0 || form[k] != '0' && form[k] != '?' && form[k] != c {
			return 0
		}
	}
	return i + len(form)
}
