// Package proof compares our globs with another implementation, github.com/gobwas/glob. It is a separate module, so
// that the product does not depend on that library.
package proof

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobwas/glob"

	"guardrails/guideline/pattern"
)

// maxGroups is the largest number of brace groups in a pattern that is compared. gobwas tries every combination of
// alternatives, so more groups would take too long.
const maxGroups = 3

func FuzzGlobsMatchAsGobwasMatchesThem(f *testing.F) {
	for _, seed := range [][2]string{
		{"src/*", "src/a/b.go"},
		{"**/[!a-c]?.{ts,tsx}", "x/d1.tsx"},
		{"{a,b{c,d}}*", "bdx"},
		{`a\*`, `a\b`},
		{"*é?[à-ü]*", "xéyöz"},
		{"[]a", "]"},
		{"[!", "[!"},
		{"a}b{c", "a}b{c"},
		{"{a}", "{a}"},
		{"{,a}b", "b"},
		{"*a?b*", "aacb"},
		{"[a-cx]", "x"},
		{"a,b", "a,b"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, subject string) { compare(t, text, subject) })
}

func TestRandomGlobsMatchAsGobwasMatchesThem(t *testing.T) {
	patterns := []string{"a", "b", "/", "*", "**", "?", "[ab]", "[!a]", "[a-b]", "[", "]", "{a,b}", "{a*,}", "{", ",", "}", `\`, "é"}
	texts := []string{"a", "b", "c", "/", "é", "[", "]", "{", ",", "}", `\`, "*"}
	random := rand.New(rand.NewPCG(1, 2))
	compose := func(parts []string) string {
		var b strings.Builder
		for range random.IntN(7) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return b.String()
	}
	const tries = 200_000
	compared := 0
	for range tries {
		if compare(t, compose(patterns), compose(texts)) {
			compared++
		}
	}
	if compared < tries/2 {
		t.Errorf("only %d of %d patterns were compared", compared, tries)
	}
}

// compare() reports whether both implementations could read the pattern. If their results differ, the test fails.
func compare(t *testing.T, text, subject string) bool {
	ours, err := pattern.CompileGlob(text)
	if err != nil {
		return false
	}
	translated, ok := translate(text)
	if !ok || !utf8.ValidString(subject) || len(text) > 100 || len(subject) > 200 {
		return false
	}
	theirs, err := glob.Compile(translated)
	if err != nil {
		t.Fatalf("gobwas does not compile %q, the translation of %q: %v", translated, text, err)
	}
	if want, got := theirs.Match(subject), ours.Match(subject); got != want {
		t.Fatalf("%q matches %q: %v; gobwas says %v for %q", text, subject, got, want, translated)
	}
	return true
}

// translate converts one of our patterns to the syntax of gobwas. In that syntax, a backslash quotes the next
// character, brackets and braces need partners, and a class has either one range or a list of characters. The second
// result is false for a pattern that gobwas cannot express.
func translate(text string) (string, bool) {
	groups := groupParts(text)
	var b strings.Builder
	open := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case groups[i]:
			b.WriteByte(c)
			if c == '{' {
				open++
			}
		case c == '*' || c == '?':
			b.WriteByte(c)
		case c == '[' && classEnd(text, i) > 0:
			end := classEnd(text, i)
			class, ok := translateClass(text[i+1 : end])
			if !ok {
				return "", false
			}
			b.WriteString(class)
			i = end
		case strings.IndexByte(`\[]{},`, c) >= 0:
			b.WriteString(`\` + string(c))
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), open <= maxGroups
}

// translateClass converts a class. If the class has several ranges, it writes them as alternatives in braces.
func translateClass(class string) (string, bool) {
	inner, negated := strings.CutPrefix(class, "!")
	if inner == "" || strings.ContainsAny(inner, `\[]!{},`) {
		return "", false
	}
	if !strings.Contains(inner, "-") {
		return "[" + class + "]", true
	}
	var parts []string
	for runes := []rune(inner); len(runes) > 0; {
		if len(runes) > 2 && runes[1] == '-' {
			if runes[0] > runes[2] || runes[0] == '-' || runes[2] == '-' {
				return "", false
			}
			parts = append(parts, "["+string(runes[:3])+"]")
			runes = runes[3:]
			continue
		}
		parts = append(parts, `\`+string(runes[:1]))
		runes = runes[1:]
	}
	if len(parts) == 1 && strings.HasPrefix(parts[0], "[") {
		return "[" + class + "]", true
	}
	return "{" + strings.Join(parts, ",") + "}", !negated
}

// groupParts marks the braces that have a partner and a comma between them. It also marks these commas.
func groupParts(text string) []bool {
	marks := make([]bool, len(text))
	type brace struct {
		at     int
		commas []int
	}
	var open []brace
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			if end := classEnd(text, i); end > 0 {
				i = end
			}
		case '{':
			open = append(open, brace{at: i})
		case ',':
			if len(open) > 0 {
				top := &open[len(open)-1]
				top.commas = append(top.commas, i)
			}
		case '}':
			if len(open) == 0 {
				continue
			}
			top := open[len(open)-1]
			open = open[:len(open)-1]
			if len(top.commas) > 0 {
				marks[top.at], marks[i] = true, true
				for _, comma := range top.commas {
					marks[comma] = true
				}
			}
		}
	}
	return marks
}

// classEnd returns the index of the bracket that closes the class at i, or -1.
func classEnd(text string, i int) int {
	first := i + 1
	if strings.HasPrefix(text[first:], "!") {
		first++
	}
	if strings.HasPrefix(text[first:], "]") {
		first++
	}
	end := strings.IndexByte(text[first:], ']')
	if end < 0 {
		return -1
	}
	return first + end
}
