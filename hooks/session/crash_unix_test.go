//go:build unix

package session_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"guardrails/hooks/session"
	"guardrails/internal/private"
)

// The constant "notes" is how many entries each process of this test adds.
const notes = 10

func appendMany(d *private.Dir) int {
	_, _ = io.ReadAll(os.Stdin) // wait until the test has started all processes
	for n := range notes {
		if err := session.Note(d, "s", session.Entry{Kind: session.Noticed, Name: note(os.Args[2], n)}); err != nil {
			return say(err)
		}
		if err := session.Note(d, "s", session.Entry{Kind: session.Committed}); err != nil {
			return say(err)
		}
	}
	return 0
}

// note() returns a long text, so that the ledger soon needs a checkpoint.
func note(process string, n int) string {
	return fmt.Sprintf("%s %d %900d", process, n, 0)
}

func TestConcurrentNotesAreNotLost(t *testing.T) {
	const count = 100
	d := folder(t)
	var all []*exec.Cmd
	var gates []io.Closer
	for i := range count {
		c := process(t, "append", d.Path(""), strconv.Itoa(i))
		gate, _ := start(t, c)
		all, gates = append(all, c), append(gates, gate)
	}
	for _, gate := range gates {
		must(t, gate.Close())
	}
	for _, c := range all {
		must(t, session.Trim(d, "s"))
		must(t, c.Wait())
	}
	s, err := session.ReadLedger(d, "s")
	must(t, err)
	if s.Unreadable != 0 || s.Truncated {
		t.Errorf("%d lines cannot be read, truncated: %v", s.Unreadable, s.Truncated)
	}
	for i := range count * notes {
		if name := note(strconv.Itoa(i/notes), i%notes); !s.Noticed(name) {
			t.Fatalf("note %d of process %d is lost", i%notes, i/notes)
		}
	}
}
