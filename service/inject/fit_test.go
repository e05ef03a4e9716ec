package inject

import "testing"

func TestCharactersAreCountedAsTheClientCounts(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "äöü": 3, "…": 1, "🙂": 2, "\xff": 1} {
		if got := Size(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}
