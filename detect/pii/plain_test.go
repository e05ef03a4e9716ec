package pii_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"guardrails/detect/pii"
)

// The types and functions below are a second recogniser, which is slow and simple. It knows the categories with a
// checksum or a fixed form. It tries a pattern at each offset of the text, and does not depend on how Find works.

type plain struct {
	pattern *regexp.Regexp
	cue     *regexp.Regexp
	within  int
	alone   func(before, after string) bool
	is      func(text, before string, cued bool) bool
}

func plainRules() map[pii.Category]plain {
	return map[pii.Category]plain{
		pii.CreditCard: {
			regexp.MustCompile(`^(\d{4}([ -])\d{4}([ -])\d{4}([ -])\d{4}(([ -])\d{3})?|\d{4}([ -])\d{6}([ -])\d{4,5}|\d{6}([ -])\d{13}|\d{13,19})`),
			regexp.MustCompile(`(?i)\b(card|visa|mastercard|amex|credit|debit|pan|cc)\b`), 40, plainAlone, plainCard,
		},
		pii.SSN: {
			regexp.MustCompile(`^\d{3}([-. ]?)\d{2}([-. ]?)\d{4}`),
			regexp.MustCompile(`(?i)\b(ssn|social security)\b`), 40, plainAlone, plainSSN,
		},
		pii.IBAN: {
			regexp.MustCompile(`^[A-Z]{2}\d{2}([A-Z0-9]+|( [A-Z0-9]{4})+( [A-Z0-9]{1,3})?)`),
			nil, 0, plainFree, nil,
		},
	}
}

func plainFree(before, after string) bool {
	return !regexp.MustCompile(`[\pL\p{Nd}_]$`).MatchString(before) && !regexp.MustCompile(`^[\pL\p{Nd}_]`).MatchString(after)
}

func plainAlone(before, after string) bool {
	return plainFree(before, after) && !regexp.MustCompile(`[\pL\p{Nd}][-./#]$`).MatchString(before) &&
		!regexp.MustCompile(`^([-/][\pL\p{Nd}]|\.\d)`).MatchString(after)
}

func plainCard(text, before string, cued bool) bool {
	separators := strings.Trim(text, "0123456789")
	for _, c := range regexp.MustCompile(`\D`).FindAllString(text, -1) {
		if c != separators[:1] && separators != "" {
			return false
		}
	}
	digits := strings.NewReplacer(" ", "", "-", "").Replace(text)
	sum := 0
	for i := range digits {
		d := int(digits[i] - '0')
		if (len(digits)-i)%2 == 0 {
			d = d*2%10 + d*2/10
		}
		sum += d
	}
	network := regexp.MustCompile(`^(4(\d{12}|\d{15}|\d{18})|(5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|` +
		`(6011|64[4-9]\d|65\d\d|62\d\d|352[89]|35[3-8]\d)\d{12,15}|(30[0-5]|36\d|38\d|39\d)\d{11})$`)
	key := regexp.MustCompile(`(?i)(\w+)["' ]*[:=]+["' ]*$`).FindStringSubmatch(before)
	isID := key != nil && regexp.MustCompile(`(?i)id$|^(ids|snowflake|timestamp|ts|nonce|seed|offset|bytes|size)$`).MatchString(key[1])
	bare := separators == "" && text == digits
	return sum%10 == 0 && network.MatchString(digits) && !strings.Contains(digits, "000000") &&
		!slices.Contains(strings.Fields(pii.SampleCards), digits) &&
		(!bare || cued || len(digits) >= 14 && len(digits) <= 16 && !isID)
}

func plainSSN(text, _ string, cued bool) bool {
	parts := regexp.MustCompile(`^(\d{3})([-. ]?)(\d{2})([-. ]?)(\d{4})$`).FindStringSubmatch(text)
	digits := parts[1] + parts[3] + parts[5]
	return parts[2] == parts[4] && (parts[2] == "-" || cued) && parts[1] != "000" && parts[1] != "666" && parts[1] < "900" &&
		parts[3] != "00" && parts[5] != "0000" && !slices.Contains([]string{"078051120", "219099999", "123456789"}, digits) &&
		strings.Trim(digits, digits[:1]) != ""
}

func plainIBAN(text string) bool {
	account := strings.ReplaceAll(text, " ", "")
	var number strings.Builder
	for _, c := range account[4:] + account[:4] {
		if unicode.IsDigit(c) {
			number.WriteRune(c)
		} else {
			fmt.Fprint(&number, c-'A'+10)
		}
	}
	n, _ := new(big.Int).SetString(number.String(), 10)
	return new(big.Int).Mod(n, big.NewInt(97)).Int64() == 1
}

// find returns the first finding of a category in a text without shields, or "".
func (p *plain) find(c pii.Category, text string) string {
	for i := range text {
		m := p.pattern.FindString(text[i:])
		for ; m != ""; m = shorter(c, m) {
			before, after := text[:i], text[i+len(m):]
			cued := p.cue != nil && p.cue.MatchString(before[max(0, len(before)-p.within):])
			switch {
			case !p.alone(before, after):
			case c == pii.IBAN && (!pii.IsIBAN(strings.ReplaceAll(m, " ", "")) || !plainIBAN(m)):
			case c != pii.IBAN && !p.is(m, before, cued):
			default:
				return m
			}
		}
	}
	return ""
}

// shorter returns the next shorter text that the pattern of a category can match at the same place, or "".
func shorter(c pii.Category, text string) string {
	switch {
	case c == pii.CreditCard && len(text) == len("4444 4444 4444 4444 333"):
		return text[:len("4444 4444 4444 4444")]
	case c == pii.IBAN && strings.Contains(text, " "):
		return text[:strings.LastIndex(text, " ")]
	}
	return ""
}

// made returns a random text that is likely to contain a number of some category.
func made(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	digits := func(n int) string {
		out := make([]byte, n)
		for i := range out {
			out[i] = byte('0' + r.IntN(10))
		}
		return string(out)
	}
	separator := pick("-", " ", "", ".", "-")
	number := pick(
		luhnOf(pick("4", "53", "37", "36", "6011", "62", "1", "2300")+digits(8+r.IntN(6))),
		digits(3)+separator+digits(2)+separator+digits(4),
		ibanOf(pick("NO", "DE", "BE", "NL"), digits(9+r.IntN(10))),
		digits(r.IntN(20)+1),
	)
	if strings.Trim(number, "0123456789") == "" && len(number) == 16 && r.IntN(2) == 0 {
		s := pick(" ", "-")
		number = number[:4] + s + number[4:8] + s + number[8:12] + s + number[12:]
	}
	before := pick("", "card ", "ssn ", "id: ", "x_id=", "visa: ", "a", "/", "-", "a-", "#", "social security ", "(", "\"", "v1.", "card "+strings.Repeat(". ", 18))
	after := pick("", ".", ".5", ",", " ", "-x", "/", "/2", "_", "b", ")", " 12", " 123")
	return before + number + after
}

func luhnOf(digits string) string {
	for c := range 10 {
		sum := 0
		whole := fmt.Sprint(digits, c)
		for i := range whole {
			d := int(whole[len(whole)-1-i] - '0')
			if i%2 == 1 {
				d = d*2%10 + d*2/10
			}
			sum += d
		}
		if sum%10 == 0 {
			return whole
		}
	}
	return digits
}

func ibanOf(country, account string) string {
	for check := 2; check < 99; check++ {
		text := fmt.Sprintf("%s%02d%s", country, check, account)
		if plainIBAN(text) {
			return text
		}
	}
	return country + account
}

func TestRecognisersAgreeWithPlainOnes(t *testing.T) {
	count := 6_000
	if testing.Short() {
		count = 1_000
	}
	rules := plainRules()
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for range count {
		text := made(r)
		for c, p := range rules {
			got := pii.Find(text, pii.Set(0).With(c))
			want := p.find(c, text)
			switch {
			case len(got) == 0 && want == "":
			case len(got) == 0 || text[got[0].Start:got[0].End] != want:
				t.Errorf("%q: %s is %q, the plain recogniser finds %q", text, c, described(text, got), want)
			default:
				hits++
			}
		}
	}
	if hits < count/20 {
		t.Errorf("only %d findings were compared", hits)
	}
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{
		"card 4539 9836 9006 0263, SSN 536-22-8145, mary@acme.io, +44 20 7946 0958, GB64 BARC 1633 9735 9296 03",
		"born 4 March 1985, passport C01234567, driver's license D1234567, 742 Evergreen Terrace, Springfield, OR 97403 from 93.184.216.34",
		"[REDACTED-CARD] 4485622461416274372", "https://x.io 2026-03-02T13:00:00Z 550e8400-e29b-41d4-a716-446655440000",
		"GB64BARC16339735929603=ab=4539983690060263", "415-823-9921/4539983690060263",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkMask(t, text, everything())
		checkMask(t, text, pii.Default)
	})
}
