package cache

import (
	"strings"

	"guardrails/guideline/pattern"
)

// A needle is a part of a pattern, in lower case. Every text that matches the pattern contains the needle. If the
// needle starts with ^, every match begins with the rest of the needle.

// pathNeedles returns one needle per pattern. It returns nil if any of the patterns has no needle, because such a
// pattern may match anything.
func pathNeedles(patterns []string) []string {
	var out []string
	for _, pattern := range patterns {
		needle := pathNeedle(pattern)
		if needle == "" {
			return nil
		}
		out = append(out, needle)
	}
	return out
}

// pathNeedle returns the needle of a path pattern. It prefers the beginning of the pattern, because such a needle can
// also rule out calls that affect whole folders.
func pathNeedle(pattern string) string {
	if strings.Contains(pattern, "//") || strings.Contains(pattern, "./") || strings.ContainsRune(pattern, '\\') {
		return ""
	}
	head, longest := literals(pattern)
	if len(head) >= 3 && len(head)*2 >= len(longest) {
		return "^" + head
	}
	return longest
}

// patternSelector returns the kinds of effects that a tool pattern can match, and the needles of the pattern.
func patternSelector(source string) (kindSet, []string) {
	p, err := pattern.CompileTool(source)
	if err != nil {
		return allKinds, nil
	}
	_, spec, _ := strings.Cut(strings.TrimSuffix(source, ")"), "(")
	switch p.Spec {
	case pattern.PathSpec:
		return kindsOf(p.Family()), pathNeedles([]string{strings.TrimSpace(spec)})
	case pattern.CommandSpec, pattern.HostSpec, pattern.NameSpec:
		if _, longest := literals(strings.TrimPrefix(spec, "domain:")); longest != "" {
			return kindsOf(p.Family()), []string{longest}
		}
		return kindsOf(p.Family()), nil
	}
	if _, longest := literals(p.Name); p.Family() == pattern.NoFamily && longest != "" {
		return allKinds, []string{longest}
	}
	return allKinds, nil
}

// literals() returns the part of a pattern before the first special character, and the longest part without a special
// character.
func literals(pattern string) (head, longest string) {
	pattern = strings.ToLower(pattern)
	start := 0
	for i := 0; i <= len(pattern); i++ {
		if i < len(pattern) && isPlain(pattern[i]) {
			continue
		}
		piece := pattern[start:i]
		if start == 0 {
			head = piece
		}
		if len(piece) > len(longest) {
			longest = piece
		}
		if i < len(pattern) {
			i = group(pattern, i)
		}
		start = i + 1
	}
	return head, longest
}

// isPlain reports whether a character has no special meaning in any kind of pattern and needs no escape in a JSON
// string.
func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/'
}

// group() returns the index of the last character of the group that begins at i, such as [abc] or {a,b}. If no group
// begins at i, it returns i. The text of a group is never a needle, because it is only one of several alternatives.
func group(pattern string, i int) int {
	switch pattern[i] {
	case '[':
		return class(pattern, i)
	case '{':
	default:
		return i
	}
	depth := 0
	for n := i; n < len(pattern); n++ {
		switch pattern[n] {
		case '{':
			depth++
		case '[':
			n = class(pattern, n)
		case '}':
			if depth--; depth == 0 {
				return n
			}
		}
	}
	return len(pattern)
}

// class() returns the index of the ] that ends the class at i. If a class has no end, the class and everything after it
// is literal text. In that case, class() returns the length of the text, because the part before the class is enough
// for a needle.
func class(text string, i int) int {
	if end := pattern.ClassEnd(text, i); end >= 0 {
		return end
	}
	return len(text)
}
