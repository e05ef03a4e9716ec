package pii_test

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/detect/pii"
)

// plainCue has patterns for cues, which are the words that name a category. The pattern in the field "words"
// matches at any place. The pattern in the field "alone" matches words that do not count in a name such as
// call_depth.
type plainCue struct{ words, alone *regexp.Regexp }

func plainCues() map[pii.Category]plainCue {
	word := func(list string) *regexp.Regexp {
		return re(`(?i)(?:^|[^\pL\p{Nd}'])(` + list + `)(?:[^\pL\p{Nd}']|$)`)
	}
	const gap = `[^\pL]{1,2}`
	return map[pii.Category]plainCue{
		pii.CreditCard: {word(`cards?`), word(`visa|mastercard|amex|credit|debit|pan|cc`)},
		pii.SSN:        {word(`ssns?|social` + gap + `security`), nil},
		pii.Phone: {
			word(`phones?|mobile|telefon|téléphone|teléfono|telefono|telefone`), word(`telephone|tel|call|cell|fax|sms|whatsapp`),
		},
		pii.BirthDate: {word(`born|dob|bday|birthdays?|birthdate|date` + gap + `of` + gap + `birth|birth` + gap +
			`date|d` + gap + `o` + gap +
			`b|geboren|geb|geburtsdatum|née?|naissance|nacido|nat[oa]` + gap + `il`), nil},
		pii.Passport: {word(`passports?|reisepass|passeport|pasaporte`), nil},
		pii.DriversLicense: {word(`(?:driver's|drivers?|driving)` + gap + `licen[cs]es?|` +
			`führerschein|permis` + gap + `de` + gap + `conduire`), nil},
		pii.Address: {word(`address|lives?` + gap + `at|(?:ship|mail)` + gap + `to`), nil},
	}
}

// plainHasCue reports whether a word that names a category is near the end of a text. The parameter "within" is the
// largest number of characters from the beginning of the word to the end of the text.
func plainHasCue(cues map[pii.Category]plainCue, c pii.Category, before string, within int) bool {
	cue, ok := cues[c]
	if !ok {
		return false
	}
	spaced, places := plainSpaced(before)
	return plainFinds(cue.words, before, spaced, places, within, false) ||
		cue.alone != nil && plainFinds(cue.alone, before, spaced, places, within, true)
}

func plainFinds(cue *regexp.Regexp, before, spaced string, places []int, within int, alone bool) bool {
	for at := 0; at < len(spaced); {
		m := cue.FindStringSubmatchIndex(spaced[at:])
		if m == nil {
			return false
		}
		start, end := places[at+m[2]], places[at+m[3]-1]+1
		name, isName := plainName(before, start, end)
		switch {
		case utf8.RuneCountInString(before[start:]) > within || alone && isName || isName && plainIsOther(name):
		case strings.ContainsFunc(name, unicode.IsDigit):
		default:
			return true
		}
		at += m[2] + 1
	}
	return false
}

// plainSpaced returns a text with spaces between the words of names: "birth Date" for birthDate. It also returns the
// index that each byte of the result has in the original text.
func plainSpaced(text string) (string, []int) {
	var out []byte
	var places []int
	for i := range len(text) {
		if i > 0 && 'A' <= text[i] && text[i] <= 'Z' && 'a' <= text[i-1] && text[i-1] <= 'z' {
			out, places = append(out, ' '), append(places, i)
		}
		c := text[i]
		if c == '_' {
			c = ' '
		}
		out, places = append(out, c), append(places, i)
	}
	return string(out), places
}

// plainName returns the word or the name around a place, and whether it is a name with several words.
func plainName(text string, start, end int) (string, bool) {
	in := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	head := text[:start]
	start = len(strings.TrimRightFunc(head, in))
	end = len(text) - len(strings.TrimLeftFunc(text[end:], in))
	name := text[start:end]
	return name, re(`_|[a-z][A-Z]`).MatchString(name) && !strings.ContainsAny(name, " -./")
}

func plainIsOther(name string) bool {
	parts := strings.FieldsFunc(re(`([a-z])([A-Z])`).ReplaceAllString(name, "${1}_$2"), func(r rune) bool { return r == '_' })
	return slices.Contains(strings.Fields("id ids count at key"), strings.ToLower(parts[len(parts)-1]))
}
