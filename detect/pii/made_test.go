package pii_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"guardrails/detect/pii"
)

// made() returns a random text. It is likely to have personal data of a category, or something that looks like it.
func made(r *rand.Rand, c pii.Category) string {
	m := &maker{r}
	before := m.pick("", "", "x ", "(", "\"", "/", "-", "a-", "#", "v1.", "a", "§ ", "version ", "id: ", "x_id=", "zip=", "no: ")
	after := m.pick("", "", ".", ".5", ",", " ", "-x", "/", "/2", "_", "b", ")", " 12", " 123",
		".log", ". Go", " ms", ":80", "@", ":/x")
	text := m.cue(c) + before + m.value(c) + after
	if r.IntN(4) == 0 {
		text += m.pick(" ", ", ", "; ", " and ") + m.value(c) + m.pick("", ".", "!")
	}
	return text
}

type maker struct{ *rand.Rand }

func (m *maker) pick(list ...string) string { return list[m.IntN(len(list))] }

func (m *maker) digits(n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte('0' + m.IntN(10))
	}
	return string(out)
}

// cue returns the text before a value: words that may name a category, and a separator. The text may be empty.
func (m *maker) cue(c pii.Category) string {
	words := map[pii.Category][]string{
		pii.CreditCard: {"card", "Visa", "cardNumber", "card_id", "PAN", "pan_x", "discard", "cards"},
		pii.SSN:        {"SSN", "ssn", "social security", "socialSecurity", "ssn_count", "social", "SSNs"},
		pii.IBAN:       {"IBAN"},
		pii.Email:      {"mail", "to"},
		pii.Phone:      {"phone", "Tel", "call_depth", "customer_phone", "phoneCount", "saxophone", "mobile", "téléphone"},
		pii.BirthDate: {
			"born", "DOB", "date of birth", "birthDate", "dateOfBirth", "d.o.b.", "née",
			"newborn", "birth", "nato il", "born_at",
		},
		pii.Passport: {"passport", "Passports", "passportNumber", "passport_id", "Reisepass", "passport.js"},
		pii.DriversLicense: {
			"driver's license", "drivers_license", "driving licence", "license",
			"driverLicense", "Führerschein", "permis de conduire",
		},
		pii.Address: {"address", "I live at", "ship to", "at", "shippingAddress", "address_key"},
		pii.IP:      {"from", "host"},
	}[c]
	if m.IntN(3) == 0 {
		return ""
	}
	return m.pick(words...) + m.pick(" ", ": ", "=", " is ", " 1 ", "\n", ", ") +
		m.pick("", "", "", "", strings.Repeat(". ", 10+m.IntN(12)))
}

func (m *maker) value(c pii.Category) string {
	switch c {
	case pii.CreditCard:
		number := luhnOf(m.pick("4", "53", "37", "36", "6011", "62", "1", "2300", "3530") + m.digits(8+m.IntN(7)))
		return m.grouped(number)
	case pii.SSN:
		s := m.pick("-", " ", "", ".", "-")
		return m.digits(3) + s + m.digits(2) + m.pick(s, s, s, "-") + m.digits(4)
	case pii.IBAN:
		return m.grouped(ibanOf(m.pick("NO", "DE", "BE", "NL"), m.digits(9+m.IntN(10))))
	case pii.Email:
		return m.pick("anna", "A.B", "x+y", "noreply", "git", ".a", "o%o", "a.") + m.pick("@", "@", "@", "@@", "@-") +
			m.pick("firma", "mail.firma", "example", "b..c", "uni-x") + m.pick(".de", ".com", ".test", ".png", ".x", "", ".co.uk")
	case pii.Phone:
		return m.phone()
	case pii.BirthDate:
		return m.date()
	case pii.Passport:
		return m.pick("C"+m.digits(8), m.digits(9), "AB"+m.digits(6+m.IntN(3)), "ABC"+m.digits(6), m.digits(8))
	case pii.DriversLicense:
		return m.pick("", "C", "AB", "ABC", "x", "MORGA") + m.digits(4+m.IntN(7)) + m.pick("", "", "SM9IJ", "Z")
	case pii.Address:
		return m.pick("1", "742", "221B", "1234567", "12") + m.pick(" ", " ", "  ") +
			m.pick("Evergreen", "Old Mill", "5th", "oak", "O'Hara", "Big Trees And More") +
			m.pick(" Terrace", " St", " Ave.", " Court Street", " Trees", " Rd") +
			m.pick("", "", ", Springfield, OR 97403", ", Apt 4B, Salem, OR 97403-1234", ", Bonn")
	}
	return m.ip()
}

// grouped() cuts a number into groups, in one of several ways.
func (m *maker) grouped(number string) string {
	s := m.pick("", "", " ", "-")
	size := []int{4, 4, 4, 6, 3}[m.IntN(5)]
	var out strings.Builder
	for i := range number {
		if i > 0 && i%size == 0 {
			out.WriteString(s)
		}
		out.WriteByte(number[i])
	}
	return out.String()
}

func (m *maker) phone() string {
	area, exchange := m.pick("415", "212", "115", m.digits(3)), m.pick("823", "555", "911", m.digits(3))
	line := m.pick("9921", "0134", m.digits(4))
	switch m.IntN(7) {
	case 0:
		return m.pick("", "1 ", "1-") + "(" + area + ")" + m.pick(" ", "") + exchange + "-" + line
	case 1:
		return area + exchange + line
	case 2:
		return area + "." + exchange + "." + line
	case 3:
		return m.pick("", "1-", "1 ", "2-") + area + "-" + exchange + "-" + line
	}
	text := "+" + m.pick("49", "44", "1", "0", "353")
	for range 1 + m.IntN(5) {
		text += m.pick(" ", "-", ".", "", " (", ") ", "  ") + m.digits(1+m.IntN(6))
	}
	return text
}

func (m *maker) date() string {
	year, month, day := m.pick("1985", "85", "2001", "1785"), fmt.Sprintf("%02d", m.IntN(14)), fmt.Sprintf("%02d", m.IntN(33))
	name := m.pick("March", "Mar", "oct", "Marching", "May")
	switch m.IntN(5) {
	case 0:
		return year + "-" + month + "-" + day
	case 1:
		return strings.TrimPrefix(day, "0") + "/" + month + "/" + year
	case 2:
		return day + "." + month + "." + year
	case 3:
		return day + m.pick("", "th") + " " + name + m.pick("", ".", ",") + " " + year
	}
	return name + m.pick("", ".") + " " + day + m.pick("", ",", "st") + " " + year
}

func (m *maker) ip() string {
	if m.IntN(4) == 0 {
		return m.pick("2606:2800:220:1:248:1893:25c8:1946", "2a02:1::1", "fe80::1", "::1", "12:30:45", "2001:db8::1")
	}
	parts := make([]string, 3+m.IntN(3))
	for i := range parts {
		parts[i] = m.pick("93", "10", "192", "168", "8", "1", "300", "172", "16", "100", "64", fmt.Sprint(m.IntN(256)))
	}
	return strings.Join(parts, ".")
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
	count := 2_000
	if testing.Short() {
		count = 500
	}
	rules := plainRules()
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range pii.Categories() {
		hits := 0
		for range count {
			hits += comparePlain(t, rules, c, made(r, c))
		}
		if hits < count/25 {
			t.Errorf("only %d findings of %s were compared", hits, c)
		}
	}
}
