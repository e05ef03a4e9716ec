package document

// First returns the first characters of a text.
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
