//go:build unix

package private_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"guardrails/internal/private"
)

// fileLimit is the size of the largest file that the child process can write. The limit simulates a full disk.
const fileLimit = 32 << 10

// tryEverything changes the folder in every possible way and prints the results.
func tryEverything(d *private.Dir) int {
	large := []byte(strings.Repeat("x", 2*fileLimit))
	for _, try := range []struct {
		name string
		do   func() error
	}{
		{"write", func() error { return d.Write("guardrails-s.json", large) }},
		{"write synced", func() error { return d.WriteSynced("guardrails-s.json", large) }},
		{"append", func() error { return d.Append("guardrails-s.ledger", large) }},
		{"touch", func() error { return d.Touch("guardrails-s.beat-New") }},
		{"remove", func() error { _, err := d.Remove("guardrails-s.allow-1"); return err }},
		{"append in a new folder", func() error {
			sub, err := private.Open(d.Path("new"))
			if err != nil {
				return err
			}
			return sub.Append("a.jsonl", large)
		}},
	} {
		fmt.Println(try.name, cause(try.do()))
	}
	return 0
}

// cause() describes an error in one or two words. If the error has no remedy, it returns a text that no test expects.
func cause(err error) string {
	failed, ok := errors.AsType[*private.Failed](err)
	switch {
	case err == nil:
		return "done"
	case !ok || failed.Remedy == "" || failed.Path == "":
		return "untyped: " + err.Error()
	case errors.Is(err, fs.ErrPermission):
		return "not permitted"
	case errors.Is(err, syscall.EFBIG):
		return "no room"
	}
	return err.Error()
}

// filled() returns a folder with the files that tryEverything changes.
func filled(t *testing.T) *private.Dir {
	t.Helper()
	d := folder(t)
	for _, name := range []string{"guardrails-s.json", "guardrails-s.ledger", "guardrails-s.allow-1"} {
		must(t, d.Write(name, []byte("old")))
	}
	return d
}

func TestFullDiskKeepsTheOldFileAndReportsAnError(t *testing.T) {
	d := filled(t)
	expect(t, outcomes(t, "full disk", d.Path("")), []string{
		"write no room", "write synced no room", "append no room", "touch done", "remove done", "append in a new folder no room",
	})
	if text, err := d.Read("guardrails-s.json", 100); err != nil || string(text) != "old" {
		t.Errorf("read %q, %v", text, err)
	}
	expect(t, names(t, d, "guardrails.draft"), nil)
}

func TestReadOnlyFolderIsReadAndReportsWriteErrors(t *testing.T) {
	d := filled(t)
	must(t, os.Chmod(d.Path(""), 0o500))
	t.Cleanup(func() { must(t, os.Chmod(d.Path(""), 0o700)) })
	expect(t, outcomes(t, "read only", d.Path("")), []string{
		"write not permitted", "write synced not permitted", "append done", "touch not permitted",
		"remove not permitted", "append in a new folder not permitted",
	})
	if text, err := d.Read("guardrails-s.json", 100); err != nil || string(text) != "old" {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestPartiallyWrittenLineDoesNotAffectOthers(t *testing.T) {
	d := folder(t)
	outcomes(t, "full disk", d.Path(""))
	must(t, d.Append("guardrails-s.ledger", []byte("after")))
	text, err := d.Read("guardrails-s.ledger", 1<<20)
	must(t, err)
	if lines := strings.Split(string(text), "\n"); len(text) < fileLimit || !slices.Contains(lines, "after") {
		t.Errorf("got %d lines that end in %q", len(lines), text[len(text)-10:])
	}
}
