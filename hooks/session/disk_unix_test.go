//go:build unix

package session_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"guardrails/hooks/session"
)

// fileLimit is how large a file may become on the "full disk" of these tests.
const fileLimit = 32 << 10

// tryEverything does everything that changes the folder and prints what became of it.
func tryEverything(d *session.Dir) int {
	large := []byte(strings.Repeat("x", 2*fileLimit))
	for _, try := range []struct {
		name string
		do   func() error
	}{
		{"write", func() error { return d.Write("guardrails-s.json", large) }},
		{"append", func() error { return d.Append("guardrails-s.ledger", large) }},
		{"touch", func() error { return d.Touch("guardrails-s.beat-New") }},
		{"remove", func() error { _, err := d.Remove("guardrails-s.allow-1"); return err }},
		{"spool", func() error { return session.Spool(d.Path("spool"), time.Unix(0, 0), large) }},
	} {
		fmt.Println(try.name, cause(try.do()))
	}
	return 0
}

// cause is what a typed error is about, and whether it says what to do.
func cause(err error) string {
	failed, ok := errors.AsType[*session.Failed](err)
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

// filled is a folder with a file of each sort that tryEverything changes.
func filled(t *testing.T) *session.Dir {
	t.Helper()
	d := folder(t)
	for _, name := range []string{"guardrails-s.json", "guardrails-s.ledger", "guardrails-s.allow-1"} {
		must(t, d.Write(name, []byte("old")))
	}
	return d
}

func TestAFullDiskLeavesTheOldFileAndSaysSo(t *testing.T) {
	d := filled(t)
	expect(t, outcomes(t, "full disk", d.Path("")), []string{
		"write no room", "append no room", "touch done", "remove done", "spool no room",
	})
	if text, err := d.Read("guardrails-s.json", 100); err != nil || string(text) != "old" {
		t.Errorf("read %q, %v", text, err)
	}
	expect(t, names(t, d, "guardrails.draft"), nil)
}

func TestAFolderThatCannotBeWrittenIsReadAndSaysSo(t *testing.T) {
	d := filled(t)
	must(t, os.Chmod(d.Path(""), 0o500))
	t.Cleanup(func() { must(t, os.Chmod(d.Path(""), 0o700)) })
	expect(t, outcomes(t, "read only", d.Path("")), []string{
		"write not permitted", "append done", "touch not permitted", "remove not permitted", "spool not permitted",
	})
	if text, err := d.Read("guardrails-s.json", 100); err != nil || string(text) != "old" {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestARecordThatFittedOnlyInPartHarmsNoOther(t *testing.T) {
	d := folder(t)
	outcomes(t, "full disk", d.Path(""))
	must(t, d.Note("s", session.Entry{Kind: session.Noticed, Name: "after"}))
	s, err := d.Ledger("s")
	must(t, err)
	if !s.Noticed("after") || s.Unreadable != 1 {
		t.Errorf("got %+v", s)
	}
}
