package pii

// ssns() finds social security numbers of the United States with hyphens between their parts. After a word such as
// "SSN", it also finds numbers with spaces, dots or nothing between the parts.
func (s *search) ssns() {
	s.numbers(func(start, end int) {
		var buffer [9]byte
		digits, last, needsCue := buffer[:0], end, true
		switch separator := s.byteAt(end); {
		case end-start == len(buffer):
			digits = append(digits, s.text[start:end]...)
		case end-start == 3 && (separator == '-' || separator == ' ' || separator == '.'):
			digits, last = s.grouped(start, "324", separator, digits)
			needsCue = separator != '-'
		default:
			return
		}
		if last > 0 && len(digits) == len(buffer) && isSSN(string(digits)) && s.isAlone(start, last) &&
			!s.isShielded(start, last) &&
			(!needsCue || s.hasCue(SSN, start, cueDistance)) {
			s.add(SSN, start, last)
		}
	})
}

// isSSN reports whether nine digits can be a social security number. It returns false for a published sample.
func isSSN(digits string) bool {
	area, group, serial := digits[:3], digits[3:5], digits[5:]
	if area == "000" || area == "666" || area >= "900" || group == "00" || serial == "0000" {
		return false
	}
	switch digits {
	case "078051120", "219099999", "123456789":
		return false
	}
	for i := range digits {
		if digits[i] != digits[0] {
			return true
		}
	}
	return false
}
