package auditexport

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/store"
)

// cell() returns a text in a form that no spreadsheet reads as a formula. It puts an apostrophe in front of a text that
// starts like a formula. The agent that guardrails watches can write some of these texts, and a formula can start other
// programs.
func cell(text string) string {
	text = strings.Map(printable, text)
	begin := len(text) - len(strings.TrimLeftFunc(text, isInvisible))
	text = text[:begin] + inner(text[begin:])
	if isFormula(text) || isFormula(strings.TrimLeftFunc(text, isInvisible)) {
		return "'" + text
	}
	return text
}

// inner() puts an apostrophe in front of each formula inside a text. A spreadsheet that separates cells at semicolons
// or tabs ignores the quotes around the text. The spreadsheet begins a new cell inside the text, and this new cell must
// not be a formula.
func inner(text string) string {
	var out strings.Builder
	begins := false
	for _, r := range text {
		switch {
		case strings.ContainsRune(";\t\r\n", r):
			begins = true
		case begins && isFormula(string(r)):
			out.WriteByte('\'')
			begins = false
		case r != '"' && !isInvisible(r):
			begins = false
		}
		out.WriteRune(r)
	}
	return out.String()
}

// isFormula reports whether a text starts like a formula. In some languages, spreadsheets also accept full-width signs.
func isFormula(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune("=+-@|%\t\r\n＝＋－＠", first)
}

// isInvisible reports whether a character is a space or an invisible mark.
func isInvisible(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// printable() replaces characters that can mislead terminals and CSV readers.
func printable(r rune) rune {
	if r != '\n' && r != '\t' && unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

// encodeChanges returns changes as JSON on one line. Without changes it returns "".
func encodeChanges(changes []store.FieldChange) (string, error) {
	if len(changes) == 0 {
		return "", nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(changes)
	return strings.TrimSuffix(b.String(), "\n"), err
}
