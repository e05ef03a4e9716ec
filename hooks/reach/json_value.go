package reach

import "strconv"

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\n', '\r', '\t':
			s.at++
		default:
			return
		}
	}
}

// peek is the next byte that is not space, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

// skip steps over one value.
func (s *scanner) skip() bool {
	switch s.peek() {
	case '{':
		return s.members(func([]byte) bool { return s.skip() })
	case '[':
		return s.items(s.skip)
	case '"':
		return s.str()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

// members steps over an object; each is called before each value with its name, and steps over the value.
func (s *scanner) members(each func(name []byte) bool) bool {
	return s.list('{', '}', func() bool {
		s.space()
		from := s.at + 1
		if !s.str() {
			return false
		}
		name := unescape(s.text[from : s.at-1])
		if !s.take(':') {
			return s.fail("is not JSON: a colon is missing")
		}
		return each(name)
	})
}

// items steps over a list; each steps over an item.
func (s *scanner) items(each func() bool) bool { return s.list('[', ']', each) }

func (s *scanner) list(open, end byte, each func() bool) bool {
	if !s.take(open) {
		return s.fail("is not the JSON that is expected: " + string(open) + " is missing")
	}
	if s.depth++; s.depth > maxDepth {
		return s.fail("is nested deeper than " + strconv.Itoa(maxDepth) + " levels")
	}
	defer func() { s.depth-- }()
	if s.take(end) {
		return true
	}
	for each() {
		if s.take(end) {
			return true
		}
		if !s.take(',') {
			return s.fail("is not JSON: a comma is missing")
		}
	}
	return false
}

func (s *scanner) word(word string) bool {
	if len(s.text)-s.at < len(word) || string(s.text[s.at:s.at+len(word)]) != word {
		return s.fail("is not JSON")
	}
	s.at += len(word)
	return true
}

// number steps over a number: -1.5e+3.
func (s *scanner) number() bool {
	s.one("-")
	if !s.one("0") && !s.digits() {
		return s.fail("is not JSON")
	}
	if s.one(".") && !s.digits() {
		return s.fail("is not JSON: a number ends early")
	}
	if s.one("eE") {
		s.one("+-")
		if !s.digits() {
			return s.fail("is not JSON: a number ends early")
		}
	}
	return true
}
