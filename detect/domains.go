package detect

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/internal/document"
)

const (
	maxPatternLength = 100
	maxPhraseWords   = 5
)

// compileDomains builds a trie of the user's domains. The name of a domain is one of its words.
func compileDomains(domains map[string][]string) (*trie, error) {
	c := compiler{trie: &trie{}, spelling: map[string]string{}}
	for _, e := range domainTable() {
		c.spelling[strings.ToLower(e.value)] = e.value
	}
	for _, name := range slices.Sorted(maps.Keys(domains)) {
		at := document.Join("domains", printable(name))
		c.name(name, at)
		for i, pattern := range domains[name] {
			c.pattern(pattern, name, document.Index(at, i))
		}
	}
	return c.trie, c.problems.Err()
}

// compiler builds the trie of the user's domains and collects the problems in these domains.
type compiler struct {
	trie *trie
	// spelling maps the lower-case name of each domain, built-in or the user's own, to its spelling.
	spelling map[string]string
	problems document.Problems
}

// name() adds the name of a domain as one of the domain's own words. It rejects a name that differs from another name
// only in upper and lower case, because every prompt with that word would name both domains.
func (c *compiler) name(name, at string) {
	if strings.Contains(name, "*") {
		c.report(at, name, `contains "*"`, "remove it from the name; only the words in the domain's list may end with it")
		return
	}
	lower := strings.ToLower(name)
	if other, taken := c.spelling[lower]; taken && other != name {
		c.report(at, name, fmt.Sprintf("differs from the domain %q only in upper and lower case", other), "use one spelling")
		return
	}
	c.spelling[lower] = name
	c.pattern(name, name, at)
}

func (c *compiler) pattern(pattern, domain, at string) {
	stem, isPrefix := strings.CutSuffix(strings.TrimSpace(pattern), "*")
	words := strings.FieldsFunc(stem, isGap)
	if message, remedy := invalid(stem, words, isPrefix); message != "" {
		c.report(at, pattern, message, remedy)
		return
	}
	means := trigger{fieldDomain, domain}
	phrase := strings.Join(words, string(gap))
	if isPrefix {
		c.trie.addPrefix(phrase, means)
		return
	}
	last := words[len(words)-1]
	for _, form := range inflect(strings.Map(fold, last)) {
		c.trie.addWord(strings.TrimSuffix(phrase, last)+form, means)
	}
	for _, form := range allForms(strings.Map(fold, strings.Join(words, "-"))) {
		c.trie.addWord(strings.ReplaceAll(form, "-", string(gap)), means)
	}
}

// invalid() returns what is wrong with a pattern and how to fix it. It returns two empty strings if nothing is wrong.
// The parameter "stem" is the pattern without its final star.
func invalid(stem string, words []string, isPrefix bool) (message, remedy string) {
	switch {
	case !utf8.ValidString(stem):
		return "is not valid UTF-8", "save it as UTF-8"
	case strings.ContainsFunc(stem, unicode.IsControl):
		return "contains a control character", "remove it"
	case utf8.RuneCountInString(stem) > maxPatternLength:
		return fmt.Sprintf("is longer than %d characters", maxPatternLength), "shorten it"
	case len(words) == 0:
		return "has no letter or digit", "write a word, a prefix such as bill*, or a phrase"
	case len(words) > maxPhraseWords:
		return fmt.Sprintf("has %d words, but the limit is %d", len(words), maxPhraseWords), "keep only the words that matter"
	case strings.Contains(stem, "*") || isPrefix && !strings.HasSuffix(stem, words[len(words)-1]):
		return `has a "*" that is not at the end of the last word`, "use it once, as the last character of a word"
	}
	if k, _ := kindAt(words[0], 0); k != alnum {
		return "does not begin with a letter or digit", "remove everything before the first letter or digit"
	}
	return "", ""
}

func (c *compiler) report(at, pattern, message, remedy string) {
	message = strconv.Quote(pattern) + " " + message
	c.problems = append(c.problems, document.Problem{Path: at, Message: message, Remedy: remedy})
}

// printable() returns a name as it appears in the path of a problem. It quotes a name with unusual characters.
func printable(name string) string {
	if quoted := strconv.Quote(name); name == "" || quoted != `"`+name+`"` {
		return quoted
	}
	return name
}
