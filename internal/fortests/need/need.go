// Package need is for tests that need something from the machine, such as a program, links, or the rights of root.
package need

import (
	"os"
	"testing"
)

// Missing skips a test, because the machine lacks what the test needs. In CI, Missing makes the test fail instead,
// because a machine in CI must have everything that tests need.
func Missing(t testing.TB, what ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(append([]any{"CI lacks what this test needs: "}, what...)...)
	}
	t.Skip(what...)
}
