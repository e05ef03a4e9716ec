package pii

// phones() finds phone numbers: international numbers with a plus, and North American numbers with the usual
// separators. After a word such as "phone", it also finds ten digits without separators, and numbers with points.
func (s *search) phones() {
	s.numbers(func(start, end int) {
		switch n := end - start; {
		case s.byteAt(start-1) == '+':
			s.internationalPhone(start)
		case n == 10 && isNorthAmerican(s.text[start:end]) && s.hasCue(Phone, start, cueDistance) && s.isAlone(start, end) &&
			!s.isShielded(start, end) && !isLimit(s.text[start:end]):
			s.add(Phone, start, end)
		case n == 1 && s.text[start] == '1' && (s.byteAt(end) == ' ' || s.byteAt(end) == '-'):
			s.printedPhone(start, end+1)
		case n == 3:
			s.printedPhone(start, start)
		}
	})
}

// internationalPhone adds a finding if a plus is followed by a phone number. The parameter "start" is the index of the
// first digit after the plus.
func (s *search) internationalPhone(start int) {
	const fewest, most = 10, 15
	var buffer [most]byte
	digits, end := buffer[:0], 0
	for at := start; ; {
		next := s.digitsAt(at)
		if next == at || len(digits)+next-at > most {
			break
		}
		if end > 0 && s.text[at-1] == ' ' && isWord(s.after(next)) {
			break // the digits after the space begin another word, as in "+44 20 7946 0958 2nd floor"
		}
		digits = append(digits, s.text[at:next]...)
		if s.byteAt(next) == ')' {
			next++
		}
		if end = next; s.text[end-1] == ')' && !s.opens(start, end-1) {
			end--
		}
		at = end
		if c := s.byteAt(at); c == ' ' || c == '-' || c == '.' {
			at++
		}
		if s.byteAt(at) == '(' {
			at++
		}
		if at == end && s.text[end-1] != ')' {
			break
		}
	}
	if len(digits) < fewest || digits[0] == '0' || s.isShielded(start-1, end) || s.touchesWord(start-1, end) {
		return
	}
	if digits[0] == '1' && (len(digits) != 11 || !isNorthAmerican(string(digits[1:]))) {
		return
	}
	s.add(Phone, start-1, end)
}

// opens() reports whether text[start:at] contains an opening bracket.
func (s *search) opens(start, at int) bool {
	for at--; at >= start; at-- {
		if s.text[at] == '(' {
			return true
		}
	}
	return false
}

// printedPhone adds a finding for a number such as 415-823-9921, 415.823.9921 or (415) 823-9921, if there is one. The
// argument "area" is the index of the area code. The argument "start" is the index of the 1 before the area
// code. If there is no 1, start is equal to area.
func (s *search) printedPhone(start, area int) {
	var digits [10]byte
	at, form := area, "000-0000"
	if s.byteAt(at) == '(' {
		at++
	} else if start == area && s.byteAt(area-1) == '(' && s.byteAt(area+3) == ')' {
		start--
		area--
	}
	isBracketed := s.byteAt(area) == '('
	if s.digitsAt(at)-at != 3 {
		return
	}
	copy(digits[:], s.text[at:at+3])
	at += 3
	switch {
	case isBracketed && s.byteAt(at) == ')':
		if at++; s.byteAt(at) == ' ' {
			at++
		}
	case !isBracketed && s.byteAt(at) == '-':
		at++
	case !isBracketed && s.byteAt(at) == '.' && s.hasCue(Phone, start, cueDistance):
		at++
		form = "000.0000"
	default:
		return
	}
	end := s.shape(at, form)
	if end == 0 {
		return
	}
	copy(digits[3:], s.text[at:at+3])
	copy(digits[6:], s.text[at+4:end])
	if isNorthAmerican(string(digits[:])) && s.isAlone(start, end) && !s.isShielded(start, end) {
		s.add(Phone, start, end)
	}
}

// isNorthAmerican reports whether ten digits can be a phone number. It returns false for numbers that are reserved
// for fiction.
func isNorthAmerican(digits string) bool {
	exchange := digits[3:6]
	return digits[0] >= '2' && exchange[0] >= '2' && exchange[1:] != "11" && (exchange != "555" || digits[6:8] != "01")
}

// isLimit reports whether ten digits are the largest value of an integer type, or one more than that.
func isLimit(digits string) bool {
	switch digits {
	case "2147483647", "2147483648", "4294967295", "4294967296":
		return true
	}
	return false
}
