//go:build unix

package session_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"guardrails/hooks/session"
)

// generation is a file's content, which shows when a part of it is missing.
func generation(n int) []byte {
	return fmt.Appendf(bytes.Repeat([]byte{'a' + byte(n%26)}, 256<<10), " end of %d", n)
}

func writeForEver(d *session.Dir) int {
	for n := 0; ; n++ {
		if err := d.Write("guardrails-s.json", generation(n)); err != nil {
			return say(err)
		}
		fmt.Println(n)
	}
}

func TestAFileIsWholeWheneverItsWriterIsKilled(t *testing.T) {
	d := folder(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		c := process(t, "write", d.Path(""))
		_, out := started(t, c)
		for range 1 + random.IntN(5) {
			if line, err := out.ReadString('\n'); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
		}
		must(t, c.Process.Kill())
		_ = c.Wait()
		wantWhole(t, d)
	}
	_, err := d.Sweep(time.Now().Add(2*time.Hour), 24*time.Hour)
	must(t, err)
	expect(t, names(t, d, ""), []string{"guardrails-s.json"})
}

func wantWhole(t *testing.T, d *session.Dir) {
	t.Helper()
	text, err := d.Read("guardrails-s.json", 1<<20)
	must(t, err)
	_, end, _ := bytes.Cut(text, []byte(" end of "))
	if n, err := strconv.Atoi(string(end)); err != nil || !bytes.Equal(text, generation(n)) {
		t.Fatalf("%d bytes that end in %q", len(text), text[max(0, len(text)-20):])
	}
}

// Every process of this test adds so many notes.
const notes = 10

func appendMany(d *session.Dir) int {
	_, _ = io.ReadAll(os.Stdin) // until the test says that all are there
	for n := range notes {
		if err := d.Note("s", session.Entry{Kind: session.Noticed, Name: note(os.Args[2], n)}); err != nil {
			return say(err)
		}
		if err := d.Note("s", session.Entry{Kind: session.Committed}); err != nil {
			return say(err)
		}
	}
	return 0
}

// note is long, so that the ledger becomes one that Trim does something about.
func note(process string, n int) string {
	return fmt.Sprintf("%s %d %900d", process, n, 0)
}

func TestOfNotesThatManyProcessesAddAtOnceNoneIsLost(t *testing.T) {
	count := 100
	if testing.Short() {
		count = 25
	}
	d := folder(t)
	var all []*exec.Cmd
	var gates []io.Closer
	for i := range count {
		c := process(t, "append", d.Path(""), strconv.Itoa(i))
		gate, _ := started(t, c)
		all, gates = append(all, c), append(gates, gate)
	}
	for _, gate := range gates {
		must(t, gate.Close())
	}
	for _, c := range all {
		must(t, d.Trim("s"))
		must(t, c.Wait())
	}
	s, err := d.Ledger("s")
	must(t, err)
	if s.Unreadable != 0 || s.Truncated {
		t.Errorf("%d lines cannot be read, truncated: %v", s.Unreadable, s.Truncated)
	}
	for i := range count * notes {
		if name := note(strconv.Itoa(i/notes), i%notes); !s.Noticed(name) {
			t.Fatalf("lost: note %d of process %d", i%notes, i/notes)
		}
	}
}
