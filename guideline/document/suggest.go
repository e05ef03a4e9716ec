package document

import (
	"fmt"
	"strings"
)

// suggest names the field that was probably meant: one whose name is at most two changes away, or one when the name is
// too short for that to mean anything.
func suggest(name string, specs []Spec) string {
	names := make([]string, len(specs))
	best, distance := "", 1+min(2, max(1, len(name)/2))
	for i, s := range specs {
		names[i] = s.Name
		if d := editDistance(strings.ToLower(name), s.Name); d < distance {
			best, distance = s.Name, d
		}
	}
	if best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return "remove it; known here: " + strings.Join(names, ", ")
}

// editDistance counts the insertions, deletions and replacements between two short names.
func editDistance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
