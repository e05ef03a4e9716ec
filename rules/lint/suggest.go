package lint

import (
	"fmt"
	"strings"
)

// nearest is the known name that was probably meant: the same but for its case or hyphens, or at most two slips away.
func nearest(name string, known []string) string {
	best, least := "", 1+min(2, len(name)/3)
	for _, k := range known {
		if k == name {
			continue
		}
		if d := slips(plain(name), plain(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// plain is a name without what people write now one way and now another.
func plain(name string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(name))
}

// maxCompared bounds the names that are compared letter by letter.
const maxCompared = 64

// slips counts the letters to insert, drop, replace or swap with their neighbour between two names.
func slips(a, b string) int {
	if len(a) > maxCompared || len(b) > maxCompared {
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

// didYouMean is the remedy when a name is probably a slip, and otherwise the given one; a slip is an error.
func didYouMean(suggestion, otherwise string) (Severity, string) {
	if suggestion == "" {
		return Warning, otherwise
	}
	return Error, fmt.Sprintf("did you mean %q?", suggestion)
}
