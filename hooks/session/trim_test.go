package session_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/hooks/session"
	"guardrails/internal/private"
)

// padded() returns a long name, so that the ledger grows fast.
func padded(n int) string { return fmt.Sprintf("%d%900d", n, 0) }

func randomEntry(r *rand.Rand) session.Entry {
	name := padded(r.IntN(8))
	e := session.Entry{Kind: []session.Kind{session.Wrote, session.Wrote, session.Tested, session.Chose, session.Noticed}[r.IntN(5)]}
	if r.IntN(20) == 0 {
		e.Kind = session.Committed
	}
	switch e.Kind {
	case session.Wrote:
		e.Path, e.Source, e.Planned = name, r.IntN(2) == 0, r.IntN(3) == 0
	case session.Tested:
		e.Command, e.Passed = name, r.IntN(3) == 0
	case session.Committed:
		e.Planned, e.Name = r.IntN(2) == 0, []string{"", session.Empty, "a", "b"}[r.IntN(4)]
	case session.Chose:
		e.Choice = name
	case session.Noticed:
		e.Name = name
	}
	return e
}

func wantSame(t *testing.T, got, want *session.State) {
	t.Helper()
	if !slices.Equal(got.Files, want.Files) || !slices.Equal(got.Untested, want.Untested) || got.TestedSinceWrite != want.TestedSinceWrite || !maps.Equal(got.Failures, want.Failures) ||
		got.Choice != want.Choice || got.Unreadable != want.Unreadable || got.Truncated != want.Truncated {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	for n := range 8 {
		if got.Noticed(padded(n)) != want.Noticed(padded(n)) {
			t.Fatalf("Noticed differs for name %d", n)
		}
	}
}

func TestTrimmedLedgerHasTheSameState(t *testing.T) {
	trimmed, whole := folder(t), folder(t)
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 3000 {
		e := randomEntry(random)
		record(t, trimmed, e)
		record(t, whole, e)
		if n%100 == 0 {
			must(t, trimmed.Append("guardrails-s.ledger", []byte("torn")))
			must(t, whole.Append("guardrails-s.ledger", []byte("torn")))
		}
		if n%150 == 0 {
			must(t, session.Trim(trimmed, "s"))
			wantSame(t, read(t, trimmed), read(t, whole))
		}
	}
	if text, err := trimmed.Read("guardrails-s.ledger", 8<<20); err != nil || strings.Count(string(text), `"checkpoint"`) < 3 {
		t.Errorf("too few checkpoints in %d bytes, %v", len(text), err)
	}
}

func TestLedgerIsTrimmedOnlyWhenItHasGrown(t *testing.T) {
	d := folder(t)
	size := func() int {
		text, err := d.Read("guardrails-s.ledger", 1<<20)
		must(t, err)
		return len(text)
	}
	must(t, session.Trim(d, "s")) // there is no ledger yet
	record(t, d, session.Entry{Kind: session.Noticed, Name: "a"}, session.Entry{Kind: session.Committed})
	before := size()
	must(t, session.Trim(d, "s"))
	if size() != before {
		t.Errorf("Trim changed %d bytes to %d", before, size())
	}
	for n := range 100 {
		record(t, d, session.Entry{Kind: session.Wrote, Path: padded(n)})
	}
	must(t, session.Trim(d, "s"))
	before = size()
	must(t, session.Trim(d, "s"))
	if size() != before {
		t.Errorf("a second Trim changed %d bytes to %d", before, size())
	}
}

// filler() returns lines that do not change the state. Together, the lines have about the given number of bytes.
func filler(d *private.Dir, size int) string {
	line := `{"kind":"noticed","name":"` + strings.Repeat("x", 1000) + `"}` + " "
	line = "\n" + string(d.KeyOf("guardrails-s.ledger").Sign([]byte(line))) + "\n"
	return strings.Repeat(line, size/len(line))
}

func TestOversizedLedgerIsTruncatedAndMarked(t *testing.T) {
	d := folder(t)
	record(t, d, session.Entry{Kind: session.Chose, Choice: "open"}, session.Entry{Kind: session.Tested, Command: "a"})
	grow(t, d, 5<<20)
	record(t, d, session.Entry{Kind: session.Wrote, Path: "a"})
	s := read(t, d)
	if !s.Truncated || s.TestedSinceWrite || s.Unreadable != 0 || !slices.Equal(s.Files, []string{"a"}) || s.Choice != "" {
		t.Errorf("got %+v", s)
	}
	must(t, session.Trim(d, "s"))
	if s := read(t, d); !s.Truncated || s.TestedSinceWrite || !slices.Equal(s.Files, []string{"a"}) {
		t.Errorf("a checkpoint loses the truncation: %+v", s)
	}
}

func TestCheckpointIsFoundBeforeALongTurn(t *testing.T) {
	for size, truncated := range map[int]bool{0: false, 100 << 10: false, 2 << 20: false, 5 << 20: true} {
		d := folder(t)
		record(t, d, session.Entry{Kind: session.Chose, Choice: "open"}, session.Entry{Kind: session.Wrote, Path: "old"})
		grow(t, d, 300<<10)
		must(t, session.Trim(d, "s"))
		grow(t, d, size)
		s := read(t, d)
		if s.Truncated != truncated || s.Choice == "" && !truncated || s.Wrote("old") == truncated {
			t.Errorf("after %d bytes: %+v", size, s)
		}
	}
}

func grow(t *testing.T, d *private.Dir, size int) {
	t.Helper()
	f, err := os.OpenFile(d.Path("guardrails-s.ledger"), os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	_, err = f.WriteString(filler(d, size))
	must(t, err)
	must(t, f.Close())
}

func TestInvalidCheckpointIsIgnored(t *testing.T) {
	for _, line := range []string{
		`{"kind":"checkpoint","to":9999999,"entries":""}`, `{"kind":"checkpoint","to":-1,"entries":""}`, `{"kind":"checkpoint","entries":""}`,
		`{"kind":"checkpoint","to":"1"}`, `{"kind":"checkpoint","to":1,"untested":3}`, `{"kind":"checkpoint","to":1,"entries":[]}`,
		`{"kind":"checkpoint","to":1,"ent`,
	} {
		d := folder(t)
		record(t, d, session.Entry{Kind: session.Wrote, Path: "a", Source: true}, session.Entry{Kind: session.Chose, Choice: "open"})
		must(t, session.AppendLine(d, "s", line))
		record(t, d, session.Entry{Kind: session.Wrote, Path: "b"})
		if s := read(t, d); !slices.Equal(s.Files, []string{"a", "b"}) || s.TestedSinceWrite || s.Choice != "open" {
			t.Errorf("%s: got %+v", line, s)
		}
	}
}
