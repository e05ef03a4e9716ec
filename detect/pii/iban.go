package pii

import "strings"

// ibans() finds international bank account numbers, in one piece or in groups of four.
func (s *search) ibans() {
	s.numbers(func(start, _ int) {
		start -= 2
		if !isUpper(s.byteAt(start)) || !isUpper(s.byteAt(start+1)) || !isDigit(s.byteAt(start+3)) {
			return
		}
		length := ibanLength(s.text[start : start+2])
		if length == 0 {
			return
		}
		var buffer [longestIBAN]byte
		account, end := s.account(start, buffer[:length])
		switch {
		case end == 0 || s.touchesWord(start, end) || mod97(account) != 1:
		case isSampleIBAN(account):
			s.take(start, end) // so that no part of it counts as the number of a card
		default:
			s.add(IBAN, start, end)
		}
	})
}

// account() reads an account number into the buffer. The number must be as long as the buffer. The function returns the
// number without spaces, and the index after it. The index is 0 if there is no such number.
func (s *search) account(start int, buffer []byte) (string, int) {
	isGrouped := s.byteAt(start+4) == ' '
	at := start
	for i := range buffer {
		if isGrouped && i > 0 && i%4 == 0 {
			if s.byteAt(at) != ' ' {
				return "", 0
			}
			at++
		}
		if c := s.byteAt(at); !isUpper(c) && !isDigit(c) {
			return "", 0
		}
		buffer[i] = s.text[at]
		at++
	}
	return string(buffer), at
}

// mod97 returns the remainder after an account number is divided by 97. The remainder is 1 if the check digits are
// right.
func mod97(account string) int {
	remainder := 0
	add := func(part string) {
		for i := range len(part) {
			if c := part[i]; isDigit(c) {
				remainder = (remainder*10 + int(c-'0')) % 97
			} else {
				remainder = (remainder*100 + int(c-'A') + 10) % 97
			}
		}
	}
	add(account[4:])
	add(account[:4])
	return remainder
}

const longestIBAN = 33

// ibanLengths has the length of the account numbers of each country.
const ibanLengths = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
	"ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 " +
	"LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 " +
	"RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 "

func ibanLength(country string) int {
	i := strings.Index(ibanLengths, country)
	if i < 0 {
		return 0
	}
	return int(ibanLengths[i+2]-'0')*10 + int(ibanLengths[i+3]-'0')
}
