//go:build unix

package private_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"guardrails/internal/private"
)

// generation() returns the content of a file for the n-th write. It ends with n, so a missing part is noticed.
func generation(n int) []byte {
	return fmt.Appendf(bytes.Repeat([]byte{'a' + byte(n%26)}, 256<<10), " end of %d", n)
}

func writeForever(d *private.Dir) int {
	for n := 0; ; n++ {
		if err := d.Write("guardrails-s.json", generation(n)); err != nil {
			return say(err)
		}
		fmt.Println(n)
	}
}

func TestFileIsCompleteWhenItsWriterIsKilled(t *testing.T) {
	d := folder(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		c := process(t, "write", d.Path(""))
		_, out := start(t, c)
		for range 1 + random.IntN(5) {
			if line, err := out.ReadString('\n'); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
		}
		must(t, c.Process.Kill())
		_ = c.Wait()
		wantWhole(t, d)
	}
	for _, name := range names(t, d, "") {
		if name != "guardrails-s.json" && !strings.HasPrefix(name, private.DraftPrefix) {
			t.Errorf("left: %s", name)
		}
	}
}

func wantWhole(t *testing.T, d *private.Dir) {
	t.Helper()
	text, err := d.Read("guardrails-s.json", 1<<20)
	must(t, err)
	_, end, _ := bytes.Cut(text, []byte(" end of "))
	if n, err := strconv.Atoi(string(end)); err != nil || !bytes.Equal(text, generation(n)) {
		t.Fatalf("got %d bytes that end in %q", len(text), text[max(0, len(text)-20):])
	}
}
