package detect_test

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/detect"
)

// reference is a simple detector that tries every form at every offset. It does not inflect words, so the caller passes
// all forms.
type reference struct{ own, domains, actions, commands []refForm }

// refForm is one form in lower case, with a space between the words of a phrase and a star at the end of a prefix.
type refForm struct{ value, form string }

func newReference(w words, own map[string][]string) reference {
	return reference{own: refForms(own), domains: refForms(w.Domain), actions: refForms(w.Action), commands: refForms(w.Command)}
}

func refForms(byValue map[string][]string) []refForm {
	var out []refForm
	for _, value := range slices.Sorted(maps.Keys(byValue)) {
		for _, form := range byValue[value] {
			out = append(out, refForm{value, lowerASCII(form)})
		}
	}
	return out
}

func (ref reference) detect(prompt string) detect.Result {
	r := detect.Result{Matches: []detect.Match{}}
	if strings.HasPrefix(lowerASCII(strings.TrimSpace(prompt)), "<task-notification>") {
		return r
	}
	domains, actions, requests, commands := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	claimed := 0
	for _, i := range wordStarts(prompt) {
		if i >= claimed {
			values, end := longestForms(prompt, i, ref.own)
			if len(values) == 0 {
				values, end = longestForms(prompt, i, ref.domains)
			}
			claimed = max(claimed, end)
			record(&r, "domain", prompt, i, end, values, domains)
		}
		values, end := longestForms(prompt, i, ref.actions)
		values = slices.DeleteFunc(values, func(value string) bool { return detect.IsNoun(prompt, i, end, value) })
		record(&r, "action", prompt, i, end, values, actions)
		if detect.StartsClause(prompt, i) {
			for _, value := range values {
				requests[value] = true
			}
		}
		values, end = longestForms(prompt, i, ref.commands)
		values = slices.DeleteFunc(values, func(value string) bool { return detect.IsNoun(prompt, i, end, value) })
		record(&r, "action", prompt, i, end, values, commands)
	}
	maps.Copy(actions, commands)
	if len(commands) > 0 {
		maps.Copy(requests, commands)
		actions = requests
	}
	if !detect.IsEnglish(prompt) {
		clear(actions)
		r.Matches = slices.DeleteFunc(r.Matches, func(m detect.Match) bool { return m.Field == "action" })
	}
	r.Domain, r.Action = only(domains), only(actions)
	r.Ambiguous = len(domains) > 1 || len(actions) > 1
	return r
}

func record(r *detect.Result, field, prompt string, i, end int, values []string, seen map[string]bool) {
	for _, value := range values {
		seen[value] = true
		if len(r.Matches) < detect.MaxMatches {
			r.Matches = append(r.Matches, detect.Match{Field: field, Value: value, Word: prompt[i:end], Offset: i})
		}
	}
}

func only(values map[string]bool) string {
	for value := range values {
		if len(values) == 1 {
			return value
		}
	}
	return ""
}

// wordStarts returns the offsets at which words start. A word starts at a letter or digit that does not follow a
// letter, digit or underscore. A mark belongs to the character before it.
func wordStarts(text string) []int {
	var starts []int
	inWord := false
	for i, r := range text {
		alnum := unicode.IsLetter(r) || unicode.IsDigit(r)
		if alnum && !inWord {
			starts = append(starts, i)
		}
		inWord = alnum || r == '_' || unicode.IsMark(r) && inWord
	}
	return starts
}

func longestForms(text string, i int, forms []refForm) (values []string, end int) {
	for _, f := range forms {
		switch at, ok := formEnd(text, i, f.form); {
		case !ok || at < end:
		case at > end:
			values, end = []string{f.value}, at
		case !slices.Contains(values, f.value):
			values = append(values, f.value)
		}
	}
	return values, end
}

// formEnd compares a form with the text at i. It returns the offset at which the match ends, and whether there is a
// match.
func formEnd(text string, i int, form string) (int, bool) {
	stem, isPrefix := strings.CutSuffix(form, "*")
	for _, want := range stem {
		if want == ' ' {
			rest := strings.TrimLeftFunc(text[i:], func(r rune) bool { return r == '-' || unicode.IsSpace(r) })
			if len(rest) == len(text)-i {
				return 0, false
			}
			i = len(text) - len(rest)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if size == 0 || lowerASCII(string(r)) != string(want) {
			return 0, false
		}
		i += size
	}
	rest := strings.TrimLeftFunc(text[i:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) })
	end := len(text) - len(rest)
	return end, isPrefix || end == i
}

func lowerASCII(s string) string { return mapASCII(s, 'A', 'Z', 'a'-'A') }
func upperASCII(s string) string { return mapASCII(s, 'a', 'z', 'A'-'a') }

// mapASCII adds a number ("by") to every byte between low and high. It keeps all other bytes, even invalid ones.
func mapASCII(s string, low, high byte, by int) string {
	b := []byte(s)
	for i, c := range b {
		if low <= c && c <= high {
			b[i] = byte(int(c) + by)
		}
	}
	return string(b)
}
