package words

// Quotes says whether a position in a shell script is inside single or double quotes.
type Quotes struct{ Single, Double bool }

// Read moves the position behind a text.
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

// Within returns a text with variables or substitutions of the shell, in a form in which the shell replaces them even
// inside single quotes.
func (q *Quotes) Within(text string) string {
	if q.Single {
		return `'"` + text + `"'`
	}
	return text
}
