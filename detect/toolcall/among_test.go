package toolcall

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/toolcall/words"
)

func TestAWordIsAmongAListOnlyAsAWhole(t *testing.T) {
	const list = "aaa ls ll lsd a.b .c *"
	for _, word := range []string{
		"aaa", "ls", "ll", "lsd", "a.b", ".c", "*", "", " ", "a", "aa", "aaaa", "l", "s", "sd", "ls ll", "ls ", " ls", "a.", "b", "c", "\x00", "d a",
	} {
		want := word != "" && slices.Contains(strings.Split(list, " "), word)
		if got := words.Among(word, list); (got == word) != want {
			t.Errorf("%q: got %q, want it found: %v", word, got, want)
		}
	}
}

func FuzzAmong(f *testing.F) {
	f.Add("aa", "aaa a")
	f.Fuzz(func(t *testing.T, word, list string) {
		want := word != "" && !strings.Contains(word, " ") && slices.Contains(strings.Split(list, " "), word)
		if got := words.Among(word, list) == word; got != want {
			t.Fatalf("%q in %q: %v", word, list, got)
		}
	})
}
