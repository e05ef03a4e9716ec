package words

import (
	"os"
	"strings"
	"testing"
)

// TestEachWordIsMeasured checks that the table of costs has each word that can cause a question.
func TestEachWordIsMeasured(t *testing.T) {
	table, err := os.ReadFile("../../../decide/testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	measured, _, _ := strings.Cut(string(table), "\n\n")
	for m := Destroys; m <= Grants; m++ {
		for _, word := range strings.Fields(meanings[m]) {
			if !strings.Contains(measured, "\n"+word+" ") {
				t.Errorf("decide/testdata/words.txt has no line for %q; add the word to judgedWords in decide/words_test.go", word)
			}
		}
	}
}
