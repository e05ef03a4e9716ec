package private_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/internal/private"
)

func TestFileRoundTrips(t *testing.T) {
	d := folder(t)
	for _, text := range []string{"", "one", strings.Repeat("long ", 100_000)} {
		for how, write := range map[string]func(string, []byte) error{"Write": d.Write, "WriteSynced": d.WriteSynced} {
			must(t, d.Write("guardrails-s.json", []byte("old")))
			must(t, write("guardrails-s.json", []byte(text)))
			must(t, d.Sync("guardrails-s.json"))
			if got, err := d.Read("guardrails-s.json", 500_000); err != nil || string(got) != text {
				t.Errorf("%s: %d bytes of %d, %v", how, len(got), len(text), err)
			}
		}
	}
	expect(t, names(t, d, ""), []string{"guardrails-s.json"})
}

func TestFileAboveTheLimitIsNotRead(t *testing.T) {
	d := folder(t)
	must(t, d.Write("guardrails-s.json", []byte("12345")))
	if _, err := d.Read("guardrails-s.json", 5); err != nil {
		t.Error(err)
	}
	_, err := d.Read("guardrails-s.json", 4)
	if want := d.Path("guardrails-s.json") + " cannot be read: the file is too large; remove it"; !errors.Is(err, private.ErrTooLarge) || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestMissingFileIsReported(t *testing.T) {
	d := folder(t)
	if _, err := d.Read("guardrails-s.json", 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, seen := d.Seen("guardrails-s.beat-Stop"); seen {
		t.Error("Seen reports a missing file")
	}
	if was, err := d.Remove("guardrails-s.allow-1"); was || err != nil {
		t.Errorf("removed: %v, %v", was, err)
	}
}

func TestMissingFolderIsReported(t *testing.T) {
	d := folder(t)
	must(t, os.RemoveAll(d.Path("")))
	_, list := d.List("")
	for what, err := range map[string]error{
		"write": d.Write("a", nil), "write synced": d.WriteSynced("a", nil), "sync": d.Sync("a"),
		"append": d.Append("a", nil), "touch": d.Touch("a"), "list": list,
	} {
		if failed, ok := errors.AsType[*private.Failed](err); !ok || !errors.Is(err, fs.ErrNotExist) || failed.Remedy == "" {
			t.Errorf("%s: got %v", what, err)
		}
	}
}

func TestUnsafeNamesAreRefused(t *testing.T) {
	d := folder(t)
	for _, name := range []string{
		"", ".", "..", "../x", "a/b", "/etc/passwd", `a\b`, "a:b", "a\x00b", "a b", ".hidden", "a.", "a..b", "ä", "a\n", strings.Repeat("a", 256),
	} {
		_, read := d.Read(name, 5)
		_, remove := d.Remove(name)
		for what, err := range map[string]error{
			"read": read, "remove": remove, "write": d.Write(name, nil), "write synced": d.WriteSynced(name, nil), "sync": d.Sync(name),
			"append": d.Append(name, nil), "touch": d.Touch(name),
		} {
			if !errors.Is(err, private.ErrName) {
				t.Errorf("%s %q: got %v", what, name, err)
			}
		}
		if _, seen := d.Seen(name); seen {
			t.Errorf("%q was seen", name)
		}
	}
}

func TestTouchSetsTheTime(t *testing.T) {
	d := folder(t)
	for range 2 { // the first run creates the file, the second touches it
		must(t, d.Touch("guardrails-s.beat-Stop"))
		if at, seen := d.Seen("guardrails-s.beat-Stop"); !seen || time.Since(at) > time.Hour {
			t.Errorf("seen %v at %v", seen, at)
		}
		must(t, os.Chtimes(d.Path("guardrails-s.beat-Stop"), time.Unix(0, 0), time.Unix(0, 0)))
	}
}

func TestTouchWorksWithoutTheSystemCall(t *testing.T) {
	d := folder(t)
	for range 2 {
		must(t, d.TouchByWriting("guardrails-s.beat-Stop"))
		if at, seen := d.Seen("guardrails-s.beat-Stop"); !seen || time.Since(at) > time.Hour {
			t.Errorf("seen %v at %v", seen, at)
		}
		must(t, os.Chtimes(d.Path("guardrails-s.beat-Stop"), time.Unix(0, 0), time.Unix(0, 0)))
	}
}

func TestOnlyOneOfSeveralRemovesSucceeds(t *testing.T) {
	d := folder(t)
	for round := range 20 {
		name := fmt.Sprintf("guardrails-s.allow-%d", round)
		must(t, d.Write(name, nil))
		won := make([]bool, 8)
		var all sync.WaitGroup
		for i := range won {
			all.Go(func() { won[i], _ = d.Remove(name) })
		}
		all.Wait()
		winners := 0
		for _, w := range won {
			if w {
				winners++
			}
		}
		if winners != 1 {
			t.Fatalf("%d winners", winners)
		}
	}
}

func TestAppendWritesLineBreaksOnBothSides(t *testing.T) {
	d := folder(t)
	must(t, d.Append("guardrails-s.ledger", []byte("one")))
	must(t, d.Append("guardrails-s.ledger", []byte("two")))
	if text, err := d.Read("guardrails-s.ledger", 100); err != nil || string(text) != "\none\n\ntwo\n" {
		t.Errorf("read %q, %v", text, err)
	}
	if err := d.Append("guardrails-s.ledger", []byte("one\ntwo")); !errors.Is(err, private.ErrLine) {
		t.Errorf("got %v", err)
	}
}
