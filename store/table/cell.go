package table

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/store"
)

// cell is a text that no spreadsheet takes for a formula: one that begins as a formula gets an apostrophe before it.
// The agent that is watched writes some of these texts, and a formula can call other programs.
func cell(text string) string {
	text = strings.Map(printable, text)
	if mayRun(text) || mayRun(strings.TrimLeftFunc(text, unseen)) {
		return "'" + text
	}
	return text
}

// mayRun reports whether a text begins as a formula. Full-width signs are read as the plain ones in some languages.
func mayRun(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune("=+-@|%\t\r\n＝＋－＠", first)
}

// unseen are spaces, and marks that take none.
func unseen(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// printable replaces what plays tricks with terminals and readers of CSV.
func printable(r rune) rune {
	if r != '\n' && r != '\t' && unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

// asJSON is a list of changes on one line; none is an empty cell.
func asJSON(changes []store.FieldChange) (string, error) {
	if len(changes) == 0 {
		return "", nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(changes)
	return strings.TrimSuffix(b.String(), "\n"), err
}
