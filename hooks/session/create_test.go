package session_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guardrails/hooks/session"
)

func TestAFileIsCreatedOnlyWhereThereIsNone(t *testing.T) {
	d := folder(t)
	must(t, d.Create("guardrails-s.denied-A", []byte("one")))
	if err := d.Create("guardrails-s.denied-A", []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if err := d.Create("../x", nil); !errors.Is(err, session.ErrName) {
		t.Errorf("got %v", err)
	}
	text, err := d.Read("guardrails-s.denied-A", 100)
	if err != nil || string(text) != "one" {
		t.Errorf("read %q, %v", text, err)
	}
	must(t, os.Symlink(d.Path("target"), d.Path("guardrails-s.denied-B")))
	if err := d.Create("guardrails-s.denied-B", []byte("x")); err == nil {
		t.Error("a link is followed")
	}
}

func TestEveryFileOfASessionIsSweptWithIt(t *testing.T) {
	d := folder(t)
	for _, name := range []string{
		session.CacheName(session.Key("s", "")), session.CacheName(session.Key("s", "a1")), session.BeatName("s", "PreToolUse"), session.LedgerName("s"),
		session.GapName("s"), session.AskName("s", "t1"), session.DeniedName("s", "ABCDEFGH"), session.GrantName("s", "ABCDEFGH"), session.GrantsName("s"),
	} {
		must(t, d.Write(name, []byte("x")))
	}
	_, err := d.Sweep(time.Now().Add(8*24*time.Hour), 7*24*time.Hour)
	must(t, err)
	expect(t, names(t, d, ""), nil)
}

func TestAStateFolderThatCannotBeUsedSaysWhy(t *testing.T) {
	base := t.TempDir()
	must(t, os.WriteFile(filepath.Join(base, "guardrails"), nil, 0o600))
	if _, err := session.StateDir(from(map[string]string{"XDG_STATE_HOME": base})); err == nil {
		t.Error("a file is taken for the folder")
	}
	must(t, os.Remove(filepath.Join(base, "guardrails")))
	dir, err := session.StateDir(from(map[string]string{"XDG_STATE_HOME": base}))
	must(t, err)
	if err := os.Mkdir(filepath.Join(dir, "spool"), 0o777); err != nil {
		t.Fatal(err)
	}
	must(t, os.Chmod(filepath.Join(dir, "spool"), 0o777))
	if err := session.Spool(dir, time.Now(), []byte("{}")); err == nil {
		t.Error("a spool that others can write to is written")
	}
}
