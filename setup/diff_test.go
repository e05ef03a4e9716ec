package setup_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/fortests/need"
	"guardrails/setup"
)

func TestChangeIsShownAsDiffShowsIt(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []byte
		want          string
	}{
		{"created", nil, []byte("a\nb"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"},
		{"removed", []byte("a\n"), nil, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{"end of the last line", []byte("a"), []byte("a\n"), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{
			"two places", []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), []byte("x\n2\n3\n4\n5\n6\n7\n8\ny\n"),
			"--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n",
		},
		{"nothing", []byte("a\n"), []byte("a\n"), "--- a/f\n+++ b/f\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			change := setup.Change{Before: c.before, After: c.after}
			if got := change.Diff("f"); got != c.want {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

// The program "patch" must be able to apply the diff.
func TestDiffTurnsTheOldTextIntoTheNewOne(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		need.Missing(t, "the program patch is not installed")
	}
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 6))
		text := func() string {
			var b strings.Builder
			for range 1 + r.IntN(30) {
				fmt.Fprintf(&b, "%d\n", r.IntN(5))
			}
			return strings.TrimSuffix(b.String(), []string{"", "\n"}[r.IntN(2)])
		}
		old, changed := text(), text()
		name := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(name, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		change := setup.Change{Before: []byte(old), After: []byte(changed)}
		cmd := exec.Command("patch", "-s", name)
		cmd.Stdin = strings.NewReader(change.Diff("f"))
		if out, err := cmd.CombinedOutput(); err != nil && old != changed {
			t.Fatalf("seed %d: %v %s", seed, err, out)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != changed {
			t.Fatalf("seed %d: got %q from %q, want %q", seed, got, old, changed)
		}
	}
}

func TestLargeTextsAreComparedQuickly(t *testing.T) {
	old, changed := strings.Repeat("a\n", 5000), strings.Repeat("b\n", 5000)
	change := setup.Change{Before: []byte("x\n" + old), After: []byte("x\n" + changed)}
	if got := strings.Count(change.Diff("f"), "\n"); got != 10004 {
		t.Errorf("%d lines", got)
	}
}
