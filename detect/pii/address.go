package pii

import "strings"

// addresses() finds postal addresses. An address has a number and a street. It also has a city with a code after the
// street, or a word such as "address" before the number.
func (s *search) addresses() {
	s.numbers(func(start, end int) {
		const longest = 6
		if end-start > longest {
			return
		}
		if isLetter(s.byteAt(end)) && s.byteAt(end+1) == ' ' {
			end++ // 221B
		}
		if s.byteAt(end) == ' ' && (isUpper(s.byteAt(end+1)) || isDigit(s.byteAt(end+1))) {
			s.addressAt(start, end)
		}
	})
}

func (s *search) addressAt(start, number int) {
	const mostWords = 5
	var streets [mostWords]int // the ends of words such as Street
	found, at := 0, number
	for words := 1; words <= mostWords && s.byteAt(at) == ' '; words++ {
		end := s.nameEnd(at + 1)
		if end == 0 {
			break
		}
		if words > 1 && isStreet(strings.TrimSuffix(s.text[at+1:end], ".")) {
			streets[found] = end
			found++
		}
		at = end
	}
	for found--; found >= 0; found-- {
		end := s.cityEnd(streets[found])
		if end == 0 && s.hasCue(Address, start, cueDistance) {
			end = streets[found]
		}
		if end > 0 && s.isAlone(start, end) && !s.isShielded(start, end) && s.add(Address, start, end) {
			return
		}
	}
}

// nameEnd returns the end of the capitalized word or ordinal number at index i. It returns 0 if there is none.
func (s *search) nameEnd(i int) int {
	end := s.digitsAt(i)
	switch {
	case end > i:
		switch s.text[end:min(len(s.text), end+2)] {
		case "st", "nd", "rd", "th":
			return end + 2
		}
		return 0
	case !isUpper(s.byteAt(i)):
		return 0
	}
	for isLetter(s.byteAt(end)) || s.byteAt(end) == '\'' && isLetter(s.byteAt(end+1)) || s.byteAt(end) >= 0x80 {
		end++
	}
	if s.byteAt(end) == '.' && (s.byteAt(end+1) == ' ' || s.byteAt(end+1) == ',') {
		end++
	}
	return end
}

// cityEnd returns the end of a city with its state and code, such as ", Springfield, OR 97403", that begins at index
// i. It returns 0 if there is none. An apartment may come before the city.
func (s *search) cityEnd(i int) int {
	for range 2 {
		if s.byteAt(i) != ',' || s.byteAt(i+1) != ' ' {
			return 0
		}
		end := i + 1
		for s.byteAt(end) == ' ' {
			word := end + 1
			for end = word; isLetter(s.byteAt(end)) || isDigit(s.byteAt(end)) || s.byteAt(end) == '#' || s.byteAt(end) == '.' || s.byteAt(end) >= 0x80; end++ {
			}
			if end == word {
				return 0
			}
		}
		if code := s.codeEnd(end); code > 0 {
			return code
		}
		i = end
	}
	return 0
}

// If a US state and its ZIP code, such as ", OR 97403", begin at index i, codeEnd returns the index after the state and
// the code. Otherwise, it returns 0.
func (s *search) codeEnd(i int) int {
	if s.byteAt(i) != ',' || s.byteAt(i+1) != ' ' || !isUpper(s.byteAt(i+2)) || !isUpper(s.byteAt(i+3)) {
		return 0
	}
	end := s.shape(i+4, " 00000")
	if long := s.shape(i+4, " 00000-0000"); long > 0 {
		return long
	}
	return end
}

func isStreet(word string) bool {
	switch word {
	case "Street", "St", "Avenue", "Ave", "Road", "Rd", "Lane", "Ln", "Drive", "Dr", "Court", "Ct", "Way", "Place", "Pl",
		"Square", "Sq", "Terrace", "Ter", "Boulevard", "Blvd", "Parkway", "Pkwy", "Highway", "Hwy":
		return true
	}
	return false
}
