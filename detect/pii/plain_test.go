package pii_test

import (
	"fmt"
	"math/big"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"guardrails/detect/pii"
)

// The types and functions below recognise each category a second time, in a slow and simple way. They try patterns at
// each offset of a text, and do not depend on how Find works. The text must have no shields, which are parts such as
// ids, hashes, URLs and times.

// The type "plain" is a recogniser. Each pattern matches at the beginning of a text. The function in the field "is"
// says whether a match is personal data. This function calls the function cued() to find out whether a word that names
// the category is near.
type plain struct {
	patterns []*regexp.Regexp
	alone    func(before, after string) bool
	is       func(text, before, after string, cued func(within int) bool) bool
}

// The variable "compiled" maps the text of each pattern to the compiled pattern.
var compiled sync.Map

func re(pattern string) *regexp.Regexp {
	if p, ok := compiled.Load(pattern); ok {
		return p.(*regexp.Regexp)
	}
	p, _ := compiled.LoadOrStore(pattern, regexp.MustCompile(pattern))
	return p.(*regexp.Regexp)
}

func patterns(list ...string) (out []*regexp.Regexp) {
	for _, p := range list {
		out = append(out, re(`^(?:`+p+`)`))
	}
	return out
}

const (
	plainMonth = `(?i:january|february|march|april|may|june|july|august|september|october|november|december|` +
		`jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`
	plainWord   = ` (?:[A-Z](?:[A-Za-z]|'[A-Za-z])*\.?|\d+(?:st|nd|rd|th))`
	plainStreet = ` (?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|` +
		`Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Ter|Boulevard|Blvd|Parkway|Pkwy|Highway|Hwy)`
	plainCity = `(?:,(?: [A-Za-z0-9#.]+)+){1,2}, [A-Z]{2} \d{5}(?:-\d{4})?`
)

// plainRules returns the recognisers. The first pattern that matches a finding decides, so longer forms come first.
func plainRules() map[pii.Category]plain {
	var addresses []string
	for words := 4; words >= 1; words-- {
		street := fmt.Sprintf(`\d{1,6}[A-Za-z]?(?:%s){%d}%s`, plainWord, words, plainStreet)
		addresses = append(addresses, street+`\.?`+plainCity, street+`\.`, street)
	}
	return map[pii.Category]plain{
		pii.CreditCard: {patterns(`\d{4}([ -])\d{4}([ -])\d{4}([ -])\d{4}(([ -])\d{3})`, `\d{4}([ -])\d{4}([ -])\d{4}([ -])\d{4}`,
			`\d{4}([ -])\d{6}([ -])\d{5}`, `\d{4}([ -])\d{6}([ -])\d{4}`, `\d{6}([ -])\d{13}`, `\d{13,19}`), plainAlone, plainCard},
		pii.SSN:  {patterns(`\d{3}([-. ]?)\d{2}([-. ]?)\d{4}`), plainAlone, plainSSN},
		pii.IBAN: {patterns(plainIBANs()...), plainFree, plainIsIBAN},
		pii.Email: {
			patterns(`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]*[A-Za-z0-9]`),
			func(before, after string) bool {
				return !re(`(^|[^o]|[^t]o):$|[A-Za-z0-9._%+/@-]$`).MatchString(before) &&
					!re(`^[.-]*[A-Za-z0-9]|^[_@]|^:[A-Za-z0-9/~.]`).MatchString(after)
			}, plainEmail,
		},
		pii.Phone: {patterns(`\+\d.*`, `1[ -]\(\d{3}\) ?\d{3}-\d{4}`, `1[ -]\d{3}-\d{3}-\d{4}`, `1[ -]\d{3}\.\d{3}\.\d{4}`,
			`\(\d{3}\) ?\d{3}-\d{4}`, `\d{3}-\d{3}-\d{4}`, `\d{3}\.\d{3}\.\d{4}`, `\d{10}`), nil, nil},
		pii.BirthDate: {patterns(`\d{4}-\d\d-\d\d`, `\d{1,2}/\d{1,2}/(?:\d{4}|\d\d)`, `\d{1,2}\.\d{1,2}\.(?:\d{4}|\d\d)`,
			`\d{1,2}(?:st|nd|rd|th)? `+plainMonth+`[.,]? \d{4}`, plainMonth+`\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}`), plainAlone, plainBirth},
		pii.Passport: {patterns(`[A-Za-z0-9]+`), plainAlone, func(text, before, after string, cued func(int) bool) bool {
			isHash := re(`^[a-f]+\d+$`).MatchString(text)
			return !isHash && re(`^([A-Za-z]\d{8}|\d{9}|[A-Za-z]{2}\d{6,7})$`).MatchString(text) &&
				plainDocument(before, after, cued) && cued(40)
		}},
		pii.DriversLicense: {patterns(`[A-Za-z0-9]+`), plainAlone, func(text, before, after string, cued func(int) bool) bool {
			return re(`^[A-Z0-9]{5,20}$`).MatchString(text) && plainDocument(before, after, cued) && cued(40) &&
				len(re(`\d`).FindAllString(text, -1)) >= 4
		}},
		pii.Address: {patterns(addresses...), plainAlone, plainAddress},
		pii.IP:      {patterns(`\d[0-9.]*\d`, `[0-9a-fA-F:]*[0-9a-fA-F]`), plainAlone, plainIP},
	}
}

// plainFind returns the findings of a category in a text without shields (ids, hashes, URLs and times).
func plainFind(rules map[pii.Category]plain, cues map[pii.Category]plainCue, c pii.Category, text string) (found []string) {
	p := rules[c]
next:
	for i := 0; i < len(text); i++ {
		for _, pattern := range p.patterns {
			m := pattern.FindString(text[i:])
			if m == "" {
				continue
			}
			if c == pii.Phone {
				m = plainPhone(m)
			}
			before, after := text[:i], text[i+len(m):]
			cued := func(within int) bool { return plainHasCue(cues, c, before, within) }
			switch {
			case m == "":
			case c == pii.Phone && !plainIsPhone(m, before, after, cued):
			case c != pii.Phone && (!p.alone(before, after) || !p.is(m, before, after, cued)):
			default:
				found = append(found, m)
				i += len(m) - 1
				continue next
			}
		}
	}
	return found
}

const plainEndings = ` deb png log csv go json txt md sql js py `

func plainFree(before, after string) bool {
	return !re(`[\pL\p{Nd}_]$`).MatchString(before) && !re(`^[\pL\p{Nd}_]`).MatchString(after)
}

func plainAlone(before, after string) bool {
	if m := re(`^\.([a-z0-9]+)([^\pL\p{Nd}_]|$)`).FindStringSubmatch(after); m != nil &&
		strings.Contains(plainEndings, " "+m[1]+" ") {
		return false
	}
	return plainFree(before, after) && !re(`[\pL\p{Nd}][-./#]$`).MatchString(before) &&
		!re(`^([-/][\pL\p{Nd}]|\.\d)`).MatchString(after)
}

func plainCard(text, before, _ string, cued func(int) bool) bool {
	separators := strings.Trim(text, "0123456789")
	for _, c := range re(`\D`).FindAllString(text, -1) {
		if c != separators[:1] {
			return false
		}
	}
	digits := strings.NewReplacer(" ", "", "-", "").Replace(text)
	network := re(`^(4(\d{12}|\d{15}|\d{18})|(5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|` +
		`(6011|64[4-9]\d|65\d\d|62\d\d|352[89]|35[3-8]\d)\d{12,15}|(30[0-5]|36\d|38\d|39\d)\d{11})$`)
	key := re(`(?i)(\w+)["' ]*[:=]+["' ]*$`).FindStringSubmatch(before)
	isID := key != nil && re(`(?i)id$|^(ids|snowflake|timestamp|ts|nonce|seed|offset|bytes|size)$`).MatchString(key[1])
	return luhnOf(digits[:len(digits)-1]) == digits && network.MatchString(digits) && !strings.Contains(digits, "000000") &&
		!slices.Contains(strings.Fields(pii.SampleCards), digits) &&
		(text != digits || cued(40) || len(digits) >= 14 && len(digits) <= 16 && !isID)
}

func plainSSN(text, _, _ string, cued func(int) bool) bool {
	parts := re(`^(\d{3})([-. ]?)(\d{2})([-. ]?)(\d{4})$`).FindStringSubmatch(text)
	digits := parts[1] + parts[3] + parts[5]
	return parts[2] == parts[4] && (parts[2] == "-" || cued(40)) && parts[1] != "000" && parts[1] != "666" && parts[1] < "900" &&
		parts[3] != "00" && parts[5] != "0000" && !slices.Contains([]string{"078051120", "219099999", "123456789"}, digits) &&
		strings.Trim(digits, digits[:1]) != ""
}

// plainIBANs returns patterns, the longest first.
func plainIBANs() (list []string) {
	list = append(list, `[A-Z]{2}\d{2}[A-Z0-9]+`)
	for groups := 8; groups > 0; groups-- {
		list = append(list,
			fmt.Sprintf(`[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){%d} [A-Z0-9]{1,3}`, groups), fmt.Sprintf(`[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){%d}`, groups))
	}
	return list
}

func plainIsIBAN(text, _, _ string, _ func(int) bool) bool {
	account := strings.ReplaceAll(text, " ", "")
	return pii.IsIBAN(account) && plainIBAN(account) && !slices.Contains(strings.Fields(pii.SampleIBANs), account)
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

func plainEmail(text, _, _ string, _ func(int) bool) bool {
	local, domain, _ := strings.Cut(text, "@")
	top := domain[strings.LastIndexByte(domain, '.')+1:]
	return len(local) <= 64 && !strings.HasPrefix(local, ".") && !strings.HasSuffix(local, ".") &&
		re(`^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$`).MatchString(domain) &&
		!re(`(?i)(^|\.)example\.(com|org|net)$|\.(test|invalid|local|localhost|internal|lan)$`).MatchString(domain) &&
		!re(`(?i)^(git|hg|svn|(no-?reply)(\+.*)?|do-?not-?reply)$`).MatchString(local) &&
		!strings.Contains(plainEndings, " "+strings.ToLower(top)+" ")
}

// plainPhone removes the text after an international number.
func plainPhone(text string) string {
	if text[0] != '+' {
		return text
	}
	group := re(`^(\)?[ .-]?\(?)(\d+)`)
	number, digits := "+", 0
	for rest := text[1:]; ; {
		m := group.FindStringSubmatch(rest)
		closes := m != nil && strings.HasPrefix(m[1], ")")
		if m == nil || digits > 0 && m[1] == "" || digits == 0 && m[1] != "" || digits+len(m[2]) > 15 ||
			closes && !strings.Contains(number, "(") || m[1] == " " && re(`^[\pL_]`).MatchString(rest[len(m[0]):]) {
			break
		}
		number, rest, digits = number+m[0], rest[len(m[0]):], digits+len(m[2])
	}
	if rest := text[len(number):]; strings.HasPrefix(rest, ")") && strings.Contains(number, "(") {
		number += ")"
	}
	return number
}

func plainIsPhone(text, before, after string, cued func(int) bool) bool {
	digits := re(`\D`).ReplaceAllString(text, "")
	national := digits
	if len(digits) == 11 && digits[0] == '1' {
		national = digits[1:]
	}
	isNational := re(`^[2-9]\d\d[2-9]\d{6}$`).MatchString(national) && national[4:6] != "11" && national[3:8] != "55501"
	if text[0] == '+' {
		return plainFree(before, after) && len(digits) >= 10 && len(digits) <= 15 &&
			digits[0] != '0' && (digits[0] != '1' || len(digits) == 11 && isNational)
	}
	limits := []string{"2147483647", "2147483648", "4294967295", "4294967296"}
	return isNational && plainAlone(before, after) && !slices.Contains(limits, text) &&
		(strings.ContainsAny(text, "-") && !strings.Contains(text, ".") || cued(40))
}

func plainBirth(text, _, after string, cued func(int) bool) bool {
	numbers := re(`\d+`).FindAllString(text, -1)
	in := func(number string, most int) bool {
		var n int
		_, _ = fmt.Sscan(strings.TrimLeft(number, "0"), &n)
		return n >= 1 && n <= most
	}
	year := numbers[len(numbers)-1]
	var right bool
	switch {
	case len(numbers) == 2: // with a month in letters
		right = in(numbers[0], 31)
	case strings.Contains(text, "-"):
		year = numbers[0]
		right = in(numbers[1], 12) && in(numbers[2], 31)
	default:
		right = in(numbers[1], 12) && in(numbers[0], 31) ||
			strings.Contains(text, "/") && in(numbers[0], 12) && in(numbers[1], 31)
	}
	return right && (len(year) == 2 || year[:2] == "19" || year[:2] == "20") && cued(30)
}

func plainAddress(text, _, after string, cued func(int) bool) bool {
	if re(`, [A-Z]{2} [\d-]+$`).MatchString(text) {
		return true
	}
	// The full stop after an abbreviation, such as "Ave.", belongs to the address unless it ends the sentence.
	if hasPoint := strings.HasSuffix(text, "."); hasPoint && !re(`^[ ,]`).MatchString(after) ||
		!hasPoint && re(`^\.[ ,]`).MatchString(after) {
		return false
	}
	return !re(`^`+plainCity).MatchString(after) && cued(40)
}

func plainDocument(before, after string, cued func(int) bool) bool {
	unit := re(`(?i)^ (ns|us|µs|ms|s|sec|seconds|minutes|hours|days|b|kb|mb|gb|kib|mib|gib|bytes|bits|px|hz|rows|km|kg)([^\pL_']|$)`)
	key := re(`[\pL\p{Nd}_]*=$`).FindString(before)
	isGeneral := re(`(?i)^(number|no|nr|num|value|)=$`).MatchString(key)
	return !unit.MatchString(after) && (key == "" || isGeneral || cued(len(key)))
}

func plainIP(text, before, after string, _ func(int) bool) bool {
	if re(`[0-9a-fA-F]*:[0-9a-fA-F:]*$`).MatchString(before) && strings.Contains(text, ":") {
		return false
	}
	a, err := netip.ParseAddr(text)
	return err == nil && !re(`^/\d`).MatchString(after) && plainPublic(a) &&
		!re(`(?i)(==|@|§ ?|version[ :="']*|(^|[^\pL\p{Nd}_])(v|build|section|release)[ :="']*)$`).MatchString(before)
}

func plainPublic(a netip.Addr) bool {
	if a.Is6() {
		return a.StringExpanded()[0] == '2' && !strings.HasPrefix(a.StringExpanded(), "2001:0db8") || a.StringExpanded()[0] == '3'
	}
	hidden := re(`^(0|10|127|22[4-9]|23\d|24\d|25[0-5]|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|` +
		`100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|` +
		`192\.0\.[02]|198\.1[89]|198\.51\.100|203\.0\.113|1\.1\.1\.1|1\.0\.0\.1|8\.8\.8\.8|8\.8\.4\.4|9\.9\.9\.9)\.`)
	return !hidden.MatchString(a.String() + ".")
}

func comparePlain(t *testing.T, rules map[pii.Category]plain, c pii.Category, text string) (hits int) {
	t.Helper()
	got, want := []string{}, plainFind(rules, plainCues(), c, text)
	for _, f := range pii.Find(text, pii.Set(0).With(c)) {
		got = append(got, text[f.Start:f.End])
	}
	if !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%q: %s is %q, the plain recogniser finds %q", text, c, got, want)
	}
	return len(want)
}
