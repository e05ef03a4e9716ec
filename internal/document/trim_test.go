package document_test

import (
	"testing"

	"guardrails/internal/document"
)

func TestWhiteSpaceIsTrimmedAsJSONDefinesIt(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " \t\r\n": "", "a": "a", " a b\r\n": "a b", "\u00a0a\v": "\u00a0a\v",
	} {
		if got := string(document.Trim([]byte(text))); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := string(document.TrimStart([]byte("\n a "))); got != "a " {
		t.Errorf("got %q", got)
	}
	if got := string(document.TrimEnd([]byte(` a\\`), `\`)); got != " a" {
		t.Errorf("got %q", got)
	}
}
