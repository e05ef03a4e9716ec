package talk

import "slices"

// Words returns the different content words of a text, sorted.
func Words(text string) []string {
	words := []string{}
	for rest := fold(nil, text); ; {
		var word []byte
		if word, rest = nextContent(rest); len(word) == 0 {
			slices.Sort(words)
			return slices.Compact(words)
		}
		words = append(words, string(word))
	}
}

// Similarity returns the word overlap (Jaccard index) of two texts.
func Similarity(a, b string) float64 { return newComparison(a).overlapWith(b) }
