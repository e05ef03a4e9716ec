package pii

import "strings"

const longestCard = 19

// cards() finds the numbers of payment cards. The digits are in groups, as on a card, or without separators. A number
// without separators must have 14 to 16 digits, or follow a word such as "card".
func (s *search) cards() {
	s.numbers(func(start, end int) {
		switch n := end - start; {
		case n == 4 || n == 6:
			s.groupedCard(start, end)
		case n >= 13 && n <= longestCard && isCard(s.text[start:end]) && s.isAlone(start, end) && !s.isShielded(start, end):
			if s.hasCue(CreditCard, start, cueDistance) || n >= 14 && n <= 16 && !s.isID(start) {
				s.add(CreditCard, start, end)
			}
		}
	})
}

func (s *search) groupedCard(start, end int) {
	separator := s.byteAt(end)
	if separator != ' ' && separator != '-' {
		return
	}
	if next := s.digitsAt(end+1) - end - 1; next != 4 && next != 6 && next != 13 {
		return
	}
	for _, groups := range [...]string{"44443", "4444", "465", "464", "6d"} {
		var buffer [longestCard]byte
		digits, end := s.grouped(start, groups, separator, buffer[:0])
		if end > 0 && isCard(string(digits)) && s.isAlone(start, end) && !s.isShielded(start, end) {
			s.add(CreditCard, start, end)
			return
		}
	}
}

// grouped() reads groups of digits with the separator between them. Each character of the parameter "groups" is the
// length of one group, and d means 13. grouped() returns the digits and the end of the last group. The end is 0 if the
// groups in the text have other lengths or another separator.
func (s *search) grouped(start int, groups string, separator byte, digits []byte) ([]byte, int) {
	at := start
	for i := range len(groups) {
		if i > 0 {
			if s.byteAt(at) != separator {
				return nil, 0
			}
			at++
		}
		length := int(groups[i] - '0')
		if groups[i] == 'd' {
			length = 13
		}
		end := s.digitsAt(at)
		if end-at != length {
			return nil, 0
		}
		digits = append(digits, s.text[at:end]...)
		at = end
	}
	return digits, at
}

// isCard reports whether digits have the checksum, the beginning and the length of a card's number. It returns false
// for a published sample number.
func isCard(digits string) bool {
	return hasNetwork(digits) && luhn(digits) && !strings.Contains(digits, "000000") &&
		strings.Trim(digits, digits[:1]) != "" && !isSampleCard(digits)
}

func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// hasNetwork reports whether a network issues numbers with this beginning and this length.
func hasNetwork(digits string) bool {
	first := func(n int) int {
		value := 0
		for _, c := range digits[:n] {
			value = value*10 + int(c-'0')
		}
		return value
	}
	n, two, three, four, six := len(digits), first(2), first(3), first(4), first(6)
	between := func(v, low, high int) bool { return v >= low && v <= high }
	switch {
	case digits[0] == '4': // Visa
		return n == 13 || n == 16 || n == 19
	case between(two, 51, 55) || between(four, 2221, 2720): // Mastercard
		return n == 16
	case two == 34 || two == 37: // American Express
		return n == 15
	case four == 6011 || between(three, 644, 649) || two == 65: // Discover
		return between(n, 16, 19)
	case between(three, 300, 305) || two == 36 || two == 38 || two == 39: // Diners Club
		return n == 14
	case between(four, 3528, 3589), two == 62, between(six, 622126, 622925): // JCB, UnionPay, Discover
		return between(n, 16, 19)
	}
	return false
}

// isID reports whether the key before a number says that the number is an id, a time or a size.
func (s *search) isID(start int) bool {
	i := start
	skip := func(chars string) {
		for i > 0 && strings.IndexByte(chars, s.text[i-1]) >= 0 {
			i--
		}
	}
	skip(`"' `)
	equals := i
	skip(":=")
	if i == equals {
		return false
	}
	skip(`"' `)
	end := i
	for i > 0 && isWord(rune(s.text[i-1])) && s.text[i-1] < 0x80 {
		i--
	}
	switch key := strings.ToLower(s.text[i:end]); key {
	case "ids", "snowflake", "timestamp", "ts", "nonce", "seed", "offset", "bytes", "size":
		return true
	default:
		return strings.HasSuffix(key, "id")
	}
}
