package safety

// endings are the endings of words that stemOf removes, the longest first where one ends with another.
var endings = [...]string{ //nolint:gochecknoglobals // never changed
	"ations", "ation", "ingly", "ments", "ment", "ness", "ings", "ing", "edly", "ers", "er", "ies", "ied", "ed", "ely", "ly", "es",
	"s", "e", "y",
}

// shortestStem is how many bytes a word has at least without its ending.
const shortestStem = 4

// stemOf returns a word without its ending, so that kill, kills, killed and killing have the same stem. Two equal letters at
// the end become one. Different words may have the same stem: it only gets a weight if this helps.
func stemOf(word []byte) []byte {
	for _, ending := range endings {
		size := len(word) - len(ending)
		if size < shortestStem || string(word[size:]) != ending {
			continue
		}
		if word[size-1] == word[size-2] {
			size--
		}
		return word[:size]
	}
	return word
}
