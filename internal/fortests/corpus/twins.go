package corpus

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Two texts are near duplicates if they have at least this share of all their words in common.
const near = 0.8

// CheckTwins fails if an example of the split "train" and an example of the split "test" have nearly the same words. A
// word with a digit counts as the word #, so texts that differ only in their numbers are near duplicates.
func CheckTwins[L Line](t testing.TB, lines []L, text func(L) string) {
	t.Helper()
	numbers := map[string]int{}
	words := map[string][][]int{}
	ids := map[string][]string{}
	for _, line := range lines {
		h := line.Head()
		words[h.Split] = append(words[h.Split], wordsOf(text(line), numbers))
		ids[h.Split] = append(ids[h.Split], h.ID)
	}
	for i, a := range words["train"] {
		for j, b := range words["test"] {
			// Texts of very different lengths cannot have most of their words in common.
			if short, long := min(len(a), len(b)), max(len(a), len(b)); float64(short) >= near*float64(long) && overlap(a, b) >= near {
				t.Errorf("the train example %s and the test example %s are near duplicates; remove one", ids["train"][i], ids["test"][j])
			}
		}
	}
}

// wordsOf returns one number for each different word of a text, in ascending order. It adds new words to the map
// "numbers".
func wordsOf(text string, numbers map[string]int) []int {
	var out []int
	for _, word := range strings.FieldsFunc(strings.ToLower(text), isGap) {
		if strings.ContainsFunc(word, unicode.IsDigit) {
			word = "#"
		}
		if numbers[word] == 0 {
			numbers[word] = len(numbers) + 1
		}
		out = append(out, numbers[word])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isGap(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) }

// overlap() returns the Jaccard index of two ascending lists.
func overlap(a, b []int) float64 {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}
