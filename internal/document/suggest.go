package document

import (
	"strconv"
	"strings"
)

// suggest() returns a remedy with the name of the field that was probably meant. It allows more typos in a longer name.
func suggest(name string, specs []Spec) string {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Name
	}
	if meant := Nearest(name, names, min(2, max(1, len(name)/2))); meant != "" {
		return "did you mean " + strconv.Quote(meant) + "?"
	}
	return "remove it; the known fields are " + strings.Join(names, ", ")
}

// Nearest returns the known name that is most similar to the given name. Slips() counts the edits between two names.
// Nearest never returns the given name itself. If every known name needs more edits than the parameter "most" allows,
// Nearest returns "".
func Nearest(name string, known []string, most int) string {
	best, least := "", most+1
	for _, k := range known {
		if k == name {
			continue
		}
		if n := Slips(name, k); n < least {
			best, least = k, n
		}
	}
	return best
}

// Plain returns a name in lower case, with "_" instead of hyphens and spaces.
func Plain(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "-", "_"), " ", "_")
}

// maxCompared is the length of the longest name that is compared letter by letter.
const maxCompared = 64

// Slips converts two names with Plain and then compares them. It returns how many letters must be inserted, removed,
// replaced or swapped to turn one name into the other.
func Slips(a, b string) int {
	a, b = Plain(a), Plain(b)
	switch {
	case a == b:
		return 0
	case len(a) > maxCompared || len(b) > maxCompared:
		return maxCompared
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(next[j-1]+1, row[j]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
