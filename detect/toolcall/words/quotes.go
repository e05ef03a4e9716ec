package words

// Quotes says whether a position in a shell script is inside single or double quotes.
type Quotes struct{ Single, Double bool }

// Read moves the position to the end of a text. The text begins at the position.
func (q *Quotes) Read(text string) {
	comment, word := false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case comment:
			comment = c != '\n'
		case c == '\\' && !q.Single:
			i++
		case c == '\'' && !q.Double:
			q.Single = !q.Single
		case c == '"' && !q.Single:
			q.Double = !q.Double
		case c == '#' && !word && !q.Single && !q.Double:
			comment = true
		}
		word = c != ' ' && c != '\t' && c != '\n' && c != ';'
	}
}

// Within is a method that returns a text that can be inserted at the position. The shell then replaces the variables
// and substitutions in the text, even if the position is inside single quotes.
func (q *Quotes) Within(text string) string {
	if q.Single {
		return `'"` + text + `"'`
	}
	return text
}
