package cache

import (
	"strings"

	"guardrails/guideline/pattern"
)

// A needle is a piece of a pattern that stands in every text that the pattern matches, in small letters. One that begins
// with ^ is how the pattern begins.

// pathNeedles has one needle for each path pattern; nil when any of them has none, and so may match anything.
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

// pathNeedle prefers how a pattern begins, because that also excludes whole trees.
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

// patternSelector is which effects a tool pattern speaks of, and its needles.
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

// literals finds the pieces of a pattern that stand for themselves: the one at its beginning and the longest.
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

// isPlain reports whether a character stands for itself in every kind of pattern, and needs no care in a JSON string.
func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/'
}

// group is where the group that begins at i ends: what stands in brackets and braces is only one of several.
func group(pattern string, i int) int {
	var closing byte
	switch pattern[i] {
	case '[':
		closing = ']'
	case '{':
		closing = '}'
	default:
		return i
	}
	depth := 0
	for n := i; n < len(pattern); n++ {
		switch pattern[n] {
		case pattern[i]:
			depth++
		case closing:
			if depth--; depth == 0 {
				return n
			}
		}
	}
	// Without an end it stands for itself, as everything behind it; what came before is enough.
	return len(pattern)
}
