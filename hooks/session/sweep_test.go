package session_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/hooks/session"
	"guardrails/internal/private"
)

// put() writes a file whose modification time is the given duration before sweepTime.
func put(t *testing.T, d *private.Dir, name string, ago time.Duration) {
	t.Helper()
	must(t, os.WriteFile(d.Path(name), nil, 0o600))
	must(t, os.Chtimes(d.Path(name), sweepTime().Add(-ago), sweepTime().Add(-ago)))
}

func sweepTime() time.Time { return time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC) }

func TestFilesAreListedByPrefixAndInOrder(t *testing.T) {
	d := folder(t)
	for _, name := range []string{session.AskName("s", "2"), session.AskName("s", "1"), session.AskName("st", "3"), "guardrails-s.ask-4~"} {
		put(t, d, name, 0)
	}
	expect(t, names(t, d, session.AskPrefix("s")), []string{"guardrails-s.ask-1", "guardrails-s.ask-2"})
}

func TestSweepRemovesOnlyTheFilesOfOldSessions(t *testing.T) {
	const day = 24 * time.Hour
	d := folder(t)
	old := []string{
		"guardrails-old.json", "guardrails-old.agent.json", "guardrails-old.ledger", "guardrails-old.beat-Stop", "guardrails-old.ask-1",
		"guardrails-old.denied-K", "guardrails-old.gap", "guardrails-old.told", "guardrails-old.own-files", "guardrails-old.base", "guardrails-old.approved-t1", "guardrails-old.allow-K", session.LedgerName("../old"),
	}
	stay := []string{
		"guardrails-live.ledger", "guardrails-live.json", // a session seen today
		"guardrails-future.json", // its time is in the future
		"server.sock", "notes.txt", "guardrails-old.txt", "guardrails-old", "guardrails.json", "guardrails-old.beat-", "guardrails-old.a.b.json",
	}
	for _, name := range append(old, stay...) {
		put(t, d, name, 8*day)
	}
	put(t, d, "guardrails-live.beat-Stop", time.Minute)
	put(t, d, "guardrails-future.json", -day)
	put(t, d, "guardrails.draft-1-a-0", 2*time.Hour)
	put(t, d, "guardrails.draft-2-a-0", time.Minute)
	must(t, os.Mkdir(d.Path("guardrails-older.ledger"), 0o700))
	must(t, os.Chtimes(d.Path("guardrails-older.ledger"), time.Unix(0, 0), time.Unix(0, 0)))

	removed, err := session.Sweep(d, sweepTime(), 7*day)
	must(t, err)
	if removed != len(old)+1 {
		t.Errorf("%d files removed", removed)
	}
	for _, name := range append(stay, "guardrails-live.beat-Stop", "guardrails.draft-2-a-0", "guardrails-older.ledger") {
		if _, err := os.Lstat(d.Path(name)); err != nil {
			t.Error(err)
		}
	}
	if left := strings.Join(names(t, d, ""), " "); strings.Contains(left, "old.ledger") || strings.Contains(left, "draft-1") {
		t.Errorf("left: %s", left)
	}
	if removed, err := session.Sweep(d, sweepTime(), 7*day); removed != 0 || err != nil {
		t.Errorf("the second sweep removed %d, %v", removed, err)
	}
}

func TestSweepRemovesEveryFileOfASession(t *testing.T) {
	d := folder(t)
	for _, name := range []string{
		session.CacheName(session.Key("s", "")), session.CacheName(session.Key("s", "a1")), session.BeatName("s", "PreToolUse"), session.LedgerName("s"),
		session.GapName("s"), session.AskName("s", "t1"), session.DeniedName("s", "ABCDEFGH"), session.GrantName("s", "ABCDEFGH"), session.GrantsName("s"),
	} {
		must(t, d.Write(name, []byte("x")))
	}
	_, err := session.Sweep(d, time.Now().Add(8*24*time.Hour), 7*24*time.Hour)
	must(t, err)
	expect(t, names(t, d, ""), nil)
}

func TestSweepOfAMissingFolderFails(t *testing.T) {
	d := folder(t)
	must(t, os.RemoveAll(d.Path("")))
	_, err := session.Sweep(d, time.Now(), time.Hour)
	if failed, ok := errors.AsType[*private.Failed](err); !ok || !errors.Is(err, fs.ErrNotExist) || failed.Remedy == "" {
		t.Errorf("got %v", err)
	}
}
