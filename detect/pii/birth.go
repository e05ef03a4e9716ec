package pii

import "strings"

// birthDates finds dates that follow a word such as "born".
func (s *search) birthDates() {
	if !s.cued.Has(BirthDate) {
		return
	}
	s.numbers(func(start, end int) {
		first, last := s.date(start, end)
		if last > 0 && s.hasCue(BirthDate, first, birthCueDistance) && s.isAlone(first, last) && !s.isShielded(first, last) {
			s.add(BirthDate, first, last)
		}
	})
}

// date() returns the start and the end of the date whose first number is text[start:end]. If this number is not the
// first number of a date, the result "last" is 0.
func (s *search) date(start, end int) (first, last int) {
	switch n := end - start; {
	case n == 4:
		if last = s.shape(start, "0000-00-00"); last == 0 || isDigit(s.byteAt(last)) ||
			!isDay(s.text[start:end], s.text[end+1:end+3], s.text[end+4:last]) {
			return 0, 0
		}
		return start, last
	case n > 2:
		return 0, 0
	case s.byteAt(end) == '/' || s.byteAt(end) == '.':
		return s.numericDate(start, end)
	}
	return s.writtenDate(start, end)
}

// numericDate reads D/M/Y and D.M.Y, and M/D/Y as Americans write it.
func (s *search) numericDate(start, end int) (first, last int) {
	separator := s.text[end]
	middle := s.digitsAt(end + 1)
	if s.byteAt(middle) != separator {
		return 0, 0
	}
	last = s.digitsAt(middle + 1)
	a, b, year := s.text[start:end], s.text[end+1:middle], s.text[middle+1:last]
	if isDay(year, b, a) || separator == '/' && isDay(year, a, b) {
		return start, last
	}
	return 0, 0
}

// writtenDate reads dates such as 4 March 1985 and March 4, 1985.
func (s *search) writtenDate(start, end int) (first, last int) {
	day := s.text[start:end]
	switch ordinal := s.text[end:min(len(s.text), end+2)]; ordinal {
	case "st", "nd", "rd", "th":
		end += 2
	}
	if first = s.monthBefore(start); first >= 0 {
		if s.byteAt(end) == ',' {
			end++
		}
	} else {
		first = start
		if s.byteAt(end) != ' ' {
			return 0, 0
		}
		word := end + 1
		for end = word; isLetter(s.byteAt(end)); end++ {
		}
		if !isMonth(s.text[word:end]) {
			return 0, 0
		}
		if c := s.byteAt(end); c == '.' || c == ',' {
			end++
		}
	}
	if s.byteAt(end) != ' ' {
		return 0, 0
	}
	last = s.digitsAt(end + 1)
	if !isDay(s.text[end+1:last], "1", day) || last-end != 5 {
		return 0, 0
	}
	return first, last
}

// monthBefore returns the start of the name of a month if the name and a space come directly before an index.
// Otherwise, it returns -1.
func (s *search) monthBefore(at int) int {
	if s.byteAt(at-1) != ' ' {
		return -1
	}
	end := at - 1
	if s.byteAt(end-1) == '.' {
		end--
	}
	start := end
	for isLetter(s.byteAt(start - 1)) {
		start--
	}
	if !isMonth(s.text[start:end]) {
		return -1
	}
	return start
}

func isMonth(word string) bool {
	const months = " january february march april may june july august september october november december " +
		"jan feb mar apr jun jul aug sep sept oct nov dec "
	return isListed(months, strings.ToLower(word))
}

// isDay reports whether three numbers are a year of two or four digits, a month and a day.
func isDay(year, month, day string) bool {
	if len(year) != 2 && (len(year) != 4 || year[:2] != "19" && year[:2] != "20") {
		return false
	}
	return isBetween(month, 12) && isBetween(day, 31)
}

// isBetween reports whether a number of one or two digits is at least 1 and not larger than the parameter "most".
func isBetween(text string, most int) bool {
	n := 0
	for i := range len(text) {
		n = n*10 + int(text[i]-'0')
	}
	return len(text) > 0 && len(text) <= 2 && n >= 1 && n <= most
}
