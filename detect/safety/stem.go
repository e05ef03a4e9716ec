package safety

// endingsOf returns the endings with the given last letter that stemOf removes, the longest first.
func endingsOf(last byte) []string {
	switch last {
	case 's':
		return []string{"ations", "ments", "ness", "ings", "ers", "ies", "es", "s"}
	case 'y':
		return []string{"ingly", "edly", "ely", "ly", "y"}
	case 'd':
		return []string{"ied", "ed"}
	case 'n':
		return []string{"ation"}
	case 't':
		return []string{"ment"}
	case 'g':
		return []string{"ing"}
	case 'r':
		return []string{"er"}
	case 'e':
		return []string{"e"}
	}
	return nil
}

// shortestStem is the smallest number of bytes that must remain when stemOf removes an ending.
const shortestStem = 4

// stemOf returns a word without its ending, so that attack, attacks, attacked and attacking have the same stem. Two
// equal letters at the end become one. Different words can have the same stem. The training decides which stems get a
// weight.
func stemOf(word []byte) []byte {
	if len(word) <= shortestStem {
		return word
	}
	for _, ending := range endingsOf(word[len(word)-1]) {
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
