package detect_test

import (
	"strings"
	"testing"

	"guardrails/detect"
)

func TestNewReportsAllInvalidDomains(t *testing.T) {
	_, err := detect.New(detect.Options{Domains: map[string][]string{
		"billing": {"ok", "", "*", "a\tb", "x\xff", strings.Repeat("a", 101), "one two three four five six", "bi*ll", "bill**", "order *", "-", "+plus"},
		"Billing": {"fine"},
		"p01":     {"fine"},
		"pay*":    {"fine"},
		"":        {"fine", "  "},
		"a\nb":    {"fine"},
	}})
	want := []string{
		`domains."": "" has no letter or digit; write a word, a prefix such as bill*, or a phrase`,
		`domains.""[1]: "  " has no letter or digit; write a word, a prefix such as bill*, or a phrase`,
		`domains."a\nb": "a\nb" contains a control character; remove it`,
		`domains.billing: "billing" differs from the domain "Billing" only in upper and lower case; use one spelling`,
		`domains.billing[1]: "" has no letter or digit; write a word, a prefix such as bill*, or a phrase`,
		`domains.billing[2]: "*" has no letter or digit; write a word, a prefix such as bill*, or a phrase`,
		`domains.billing[3]: "a\tb" contains a control character; remove it`,
		`domains.billing[4]: "x\xff" is not valid UTF-8; save it as UTF-8`,
		`domains.billing[5]: "` + strings.Repeat("a", 101) + `" is longer than 100 characters; shorten it`,
		`domains.billing[6]: "one two three four five six" has 6 words, but the limit is 5; keep only the words that matter`,
		`domains.billing[7]: "bi*ll" has a "*" that is not at the end of the last word; use it once, as the last character of a word`,
		`domains.billing[8]: "bill**" has a "*" that is not at the end of the last word; use it once, as the last character of a word`,
		`domains.billing[9]: "order *" has a "*" that is not at the end of the last word; use it once, as the last character of a word`,
		`domains.billing[10]: "-" has no letter or digit; write a word, a prefix such as bill*, or a phrase`,
		`domains.billing[11]: "+plus" does not begin with a letter or digit; remove everything before the first letter or digit`,
		`domains.p01: "p01" differs from the domain "P01" only in upper and lower case; use one spelling`,
		`domains.pay*: "pay*" contains "*"; remove it from the name; only the words in the domain's list may end with it`,
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got:\n%v\nwant:\n%s", err, strings.Join(want, "\n"))
	}
}

func TestLongestAcceptedPatterns(t *testing.T) {
	word := strings.Repeat("é", 100)
	d := build(t, detect.Options{Domains: map[string][]string{"x": {word, "one two three four five"}}})
	check(t, d, example{Prompt: word, Domain: "x", Words: []string{word}})
	check(t, d, example{Prompt: "one two three four fives", Domain: "x", Words: []string{"one two three four fives"}})
}
