package document

// First returns the beginning of a text, with at most the given number of characters.
func First(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}
