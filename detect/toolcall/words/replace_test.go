package words_test

import (
	"strings"
	"testing"

	"guardrails/detect/toolcall/words"
)

func FuzzReplaceDoesWhatTheLibraryDoes(f *testing.F) {
	f.Add(`a\nb\tc\\`, `\n`, "\n", `\`, "")
	f.Add("[x]^y", "[", "", "]", "")
	f.Fuzz(func(t *testing.T, text, a, b, c, d string) {
		if a == "" || c == "" {
			return
		}
		if got, want := words.Replace(text, a, b, c, d), strings.NewReplacer(a, b, c, d).Replace(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	})
}
