// Package pii finds personal data in texts and masks it: numbers of cards and accounts, e-mail addresses, phone numbers
// and other data. It is made for texts that developers work with. So it ignores hashes, versions, ports and times, and
// numbers that are published as samples.
//
// Start with Find and Mask. Each category has a file with its rule.
package pii

import (
	"slices"
	"strings"
)

// Category is a kind of personal data.
type Category uint8

// The categories, in the order in which Find looks for them. A text belongs to the first category that matches it.
const (
	IBAN Category = iota
	CreditCard
	SSN
	Email
	Phone
	BirthDate
	Passport
	DriversLicense
	Address
	IP
	categories
)

// Set is a set of categories.
type Set uint16

// Default is the set of all categories except IP.
const Default = Set(1<<categories-1) &^ Set(1<<IP)

// With is a method that returns the set with one more category.
func (s Set) With(c Category) Set { return s | 1<<c }

// Has reports whether a category is in the set.
func (s Set) Has(c Category) bool { return s&(1<<c) != 0 }

// Categories returns all categories.
func Categories() []Category {
	out := make([]Category, categories)
	for i := range out {
		out[i] = Category(i)
	}
	return out
}

// String returns the name of the category.
func (c Category) String() string {
	return [...]string{
		"iban", "credit_card", "ssn", "email", "phone", "dob", "passport", "drivers_license", "address", "ip",
	}[c]
}

// Marker returns the text that replaces a finding.
func (c Category) Marker() string {
	return [...]string{
		"[REDACTED-IBAN]", "[REDACTED-CARD]", "[REDACTED-SSN]", "[REDACTED-EMAIL]", "[REDACTED-PHONE]", "[REDACTED-DOB]",
		"[REDACTED-PASSPORT]", "[REDACTED-DRIVERS-LICENSE]", "[REDACTED-ADDRESS]", "[REDACTED-IP]",
	}[c]
}

// Tier returns 1 for data that must not be shown at all, and 2 for data that is masked.
func (c Category) Tier() int {
	if c == CreditCard || c == SSN {
		return 1
	}
	return 2
}

// Finding is a part of a text with personal data. Start and End are offsets in bytes.
type Finding struct {
	Category   Category
	Start, End int
}

// Find returns the personal data in a text, in the order in which it occurs in the text. Findings never overlap.
func Find(text string, set Set) []Finding {
	s := &search{text: text, set: set}
	s.prepare()
	if !s.hasDigits && !s.hasAt {
		return nil
	}
	for c, find := range [categories]func(*search){
		(*search).ibans, (*search).cards, (*search).ssns, (*search).emails, (*search).phones, (*search).birthDates,
		(*search).passports, (*search).licenses, (*search).addresses, (*search).ips,
	} {
		if set.Has(Category(c)) {
			find(s)
		}
	}
	slices.SortFunc(s.found, func(a, b Finding) int { return a.Start - b.Start })
	return s.found
}

// Mask replaces the personal data in a text with markers and keeps every other byte. Masking the result again changes
// nothing.
func Mask(text string, set Set) string {
	masked, _ := MaskFound(text, set)
	return masked
}

// MaskFound is like Mask, and also returns what Find finds in the text.
func MaskFound(text string, set Set) (masked string, found []Finding) {
	found = Find(text, set)
	for next := found; len(next) > 0; next = Find(text, set) {
		text = Replace(text, next)
	}
	return text, found
}

// Replace returns a text with markers in place of findings. The findings must be in the order in which they occur in
// the text.
func Replace(text string, found []Finding) string {
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(f.Category.Marker())
		at = f.End
	}
	b.WriteString(text[at:])
	return b.String()
}
