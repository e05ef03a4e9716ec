package run

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestADocumentEndsWhereItsObjectEnds lets each text arrive in two parts. It cuts the text at every possible position.
func TestADocumentEndsWhereItsObjectEnds(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"a":"b"}`, `{"a":{"b":[{}]}}`, `{"a":"}"}`, `{"a":"\""}`, `{"a":"\\"}`, `{"a":"\\\"}"}`, `{"":"\\\\"}`, `{"\"}":"{"}`,
		"{\"a\":\"\n\"}\n", `{"a":"` + strings.Repeat(`\\\" } `, 9) + `"}`,
	} {
		for cut := range len(text) + 1 {
			var object extent
			begun := text[:cut]
			if got, want := object.endsWith([]byte(begun)), endsLikeAnObject(begun); got != want {
				t.Errorf("%q: got %v, want %v", begun, got, want)
			}
			if cut < len(text) && !object.endsWith([]byte(text)) && strings.TrimSpace(text[cut:]) != "" {
				t.Errorf("%q after %q is not seen as complete", text, begun)
			}
		}
	}
	for _, text := range []string{``, ` `, `{`, `{}{}`, `{} {"a":1}`, `{"a":"}`, `{"a":"\"}`} {
		var object extent
		if object.endsWith([]byte(text)) {
			t.Errorf("%q is seen as complete", text)
		}
	}
}

// endsLikeAnObject reports whether a text is complete. A line break inside a string is not valid JSON, but it does not
// end the string or the object.
func endsLikeAnObject(text string) bool {
	return json.Valid([]byte(strings.ReplaceAll(text, "\n", " ")))
}
