// Package golden compares the results of tests with committed files.
package golden

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Check compares a text with a file. If the parameter "update" is set, it first writes the text to the file. Tests
// usually pass the value of their flag -update.
func Check(t testing.TB, update bool, file, got string) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs from what the test got; run the test with -update and review the difference: %s", file,
			Difference(got, string(want)))
	}
}

// Difference describes the first line in which two texts differ.
func Difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; i < len(g) && i < len(w); i++ {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\ngot  %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}
